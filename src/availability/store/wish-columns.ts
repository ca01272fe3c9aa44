import sql, { type Sql } from 'sql-template-tag'

/** The wish in a row, as shown (`askedService`). */
export const askedColumns = (row: Sql) => sql`
  (select concat_ws(', ', name, ${row}.session) from service
    where id = ${row}.service_id) as service, ${row}.minutes,
  (select name from resource where id = ${row}.leader_id) as "with"`

/** The wish in a row, as a `Wish`. */
export const wishColumn = (row: Sql) => sql`json_strip_nulls(json_build_object(
  'serviceId', ${row}.service_id, 'session', ${row}.session, 'minutes', ${row}.minutes,
  'leaderId', ${row}.leader_id))`
