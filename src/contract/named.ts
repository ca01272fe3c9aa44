import { z } from 'zod'

/** An object with a name of its own in `/openapi.json`, and so in clients generated from it. */
export const named = <S extends z.core.$ZodLooseShape>(id: string, shape: S) =>
  z.object(shape).meta({ id })

/** An object whose fields vary. */
export const anyObject = z.record(z.string(), z.unknown()).meta({ id: 'AnyObject' })

/** HTTP headers by name. */
export const httpHeaders = z.record(z.string(), z.string()).meta({ id: 'HttpHeaders' })

/** Numbers of something by a name. */
export const counts = z.record(z.string(), z.int()).meta({ id: 'Counts' })
