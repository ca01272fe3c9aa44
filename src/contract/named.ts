import { z } from 'zod'

/** An object with a name of its own in `/openapi.json`, and so in clients generated from it. */
export const named = <S extends z.core.$ZodLooseShape>(id: string, shape: S) =>
  z.object(shape).meta({ id })
