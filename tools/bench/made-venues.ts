import type { Pool } from '../../src/platform/database/sql.ts'

const tables = ['venue', 'service', 'service_rules', 'resource', 'venue_word']

/**
 * Adds made-up venues until there are `count`; returns the seconds taken. Each copies the kind,
 * words and first service of a demo venue, and gets an area and a name from 8,000 words, the same
 * in every run. Indexes are rebuilt, and triggers are off because the statements do their work.
 */
export async function fillWithVenues(db: Pool, count: number): Promise<number> {
  const startedAt = performance.now()
  const client = await db.connect()
  try {
    await client.query(`set statement_timeout = 0; set session_replication_role = replica;
      set maintenance_work_mem = '512MB'; set work_mem = '128MB'`)
    const { rows: indexes } = await client.query(
      `select indexname, indexdef from pg_indexes
       where tablename = any($1) and indexname not in (select conname from pg_constraint)`,
      [tables],
    )
    for (const { indexname } of indexes) await client.query(`drop index ${indexname}`)
    await client.query(venues, [count])
    for (const statement of copies) await client.query(statement)
    for (const { indexdef } of indexes) await client.query(indexdef)
    await client.query('drop table made')
    await client.query('vacuum analyze')
    // Without a checkpoint, the loaded pages would be written to disk during the measurement.
    await client.query('checkpoint')
  } finally {
    client.release(true)
  }
  return (performance.now() - startedAt) / 1000
}

/** A number from 0 to `size` - 1 for each n, the same in every run. */
const draw = (purpose: string, size: string) =>
  `((hashint8extended(n, hashtext('${purpose}')) & 1048575) % ${size})`

const syllables = `'{ba,ce,di,fo,gu,ha,je,ki,lo,mu,na,pe,ri,so,tu,wa,ye,zi,ran,lin}'::text[]`
const word = (purpose: string) =>
  [1, 2, 3].map((part) => `(${syllables})[1 + ${draw(purpose + part, '20')}]`).join(' || ')

/** Sequential ids, like time-ordered ones: random ids would slow the load down. */
const id = (table: number, number = 'n') =>
  `('0000000${table}-0000-8000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const venues = `
  create table made as
  with source as (
    select row_number() over (order by id) - 1 as number, id, regexp_replace(name, '^.* ',
      '') as suffix
    from venue),
  place as (
    select row_number() over (order by slug) - 1 as number, slug, latitude, longitude from area)
  select n, ${id(1)} as id, s.id as source, p.slug as area_slug,
    initcap(${word('first')}) || ' ' || initcap(${word('second')}) || ' ' || suffix as name,
    p.latitude + ${draw('north', '1000')} / 20000.0 - 0.025 as latitude,
    p.longitude + ${draw('east', '1000')} / 20000.0 - 0.025 as longitude
  from generate_series((select count(*) from venue) + 1, $1::bigint) as n
  join source s on s.number = ${draw('source', '(select count(*) from venue)')}
  join place p on p.number = ${draw('area', '(select count(*) from area)')}`

const copies = [
  `insert into venue (id, slug, name, category, area_slug, description, tags, price_level, latitude,
     longitude, confirm_mode, is_demo, document, created_at, off_centre, address, phone, website,
     cuisine, facts)
   select m.id, 'made-' || lpad(n::text, 8, '0'), m.name, s.category, m.area_slug, s.description,
     s.tags, s.price_level,
     m.latitude, m.longitude, s.confirm_mode, true,
     setweight(to_tsvector('english', lower(m.name)), 'A') || ts_filter(s.document, '{b,c}'), now(),
     map_point(m.longitude, m.latitude) <-> map_point(a.longitude, a.latitude), s.address, s.phone,
     s.website, s.cuisine, s.facts
   from made m join venue s on s.id = m.source join area a on a.slug = m.area_slug`,
  `insert into service (id, venue_id, name, strategy, position, rule_version)
   select ${id(2)}, m.id, o.name, o.strategy, 0, 1
   from made m join service o on o.venue_id = m.source and o.position = 0`,
  `insert into service_rules (service_id, version, rules, created_at)
   select ${id(2)}, 1, r.rules, now()
   from made m join service o on o.venue_id = m.source and o.position = 0
   join service_rules r on r.service_id = o.id and r.version = o.rule_version`,
  `with kind as materialized (
     select r.*, row_number() over (partition by r.venue_id) as number
     from (select t.venue_id, t.kind, t.name, t.party_min, t.party_max,
         row_number() over (partition by t.venue_id, kind order by party_max, t.id) as of_kind
       from resource t join service o on o.venue_id = t.venue_id and o.position = 0
       where t.can is null or o.id = any(t.can)) as r
     where r.of_kind <= 3 and r.venue_id in (select source from made))
   insert into resource (id, venue_id, kind, name, party_min, party_max)
   select ${id(3, 'n * 16 + k.number')}, m.id, k.kind, k.name, k.party_min, k.party_max
   from made m join kind k on k.venue_id = m.source and k.number < 16`,
  `insert into venue_word (word, in_name)
   select distinct unnest(string_to_array(lower(name), ' ')), true from made
     on conflict do nothing`,
]
