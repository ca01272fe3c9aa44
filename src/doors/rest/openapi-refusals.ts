import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import type { Capability } from '../../contract/capability.ts'
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from '../calls/json-schema.ts'
import { ref } from './openapi-webhooks.ts'
import { hasBody } from './request-input.ts'

const refusalCodes = Object.keys(errorCatalogue)

const refusal = z
  .looseObject({
    type: z.url().describe('The page about the code'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong and what to do next'),
    instance: z.string().optional(),
    code: z.enum(refusalCodes).meta({ id: 'RefusalCode' }),
    retryable: z.boolean(),
    request_id: z.uuid(),
    errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .describe('RFC 9457, with extra members where a code has them: alternatives, retry_after, …')
  .meta({ id: 'Refusal' })

/** The response of every refusal. */
export const refused = (schemas: NamedSchemas) => ({
  description: 'Its `code` is one of the operation’s `x-refusals`',
  content: { 'application/problem+json': { schema: jsonSchemaOf(refusal, 'output', schemas) } },
})

const always = [
  ...(['invalid_request', 'internal_error', 'overloaded', 'service_unavailable'] as const),
  ...(['unauthenticated', 'account_suspended', 'origin_not_allowed'] as const),
  ...(['rate_limited', 'account_rate_limited', 'too_many_in_flight'] as const),
] satisfies ErrorCode[]
const ofTier: Record<string, readonly ErrorCode[]> = {
  free: ['quota_exceeded'],
  pro: ['quota_exceeded', 'plan_required'],
}
const ofBody = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const

/** A list that contains every code refers to the codes instead. */
export function withRefusalCodes(schema: JsonSchema): JsonSchema {
  const others = new Set(schema.enum as string[]).difference(new Set(refusalCodes))
  if (!Array.isArray(schema.enum) || others.size + refusalCodes.length > schema.enum.length)
    return schema
  return { anyOf: [{ type: 'string', enum: [...others] }, ref('schemas', 'RefusalCode')] }
}

/** Every code with which an operation can be refused. */
export function refusalsOf(capability: Capability): ErrorCode[] {
  const { operation, rest } = capability
  const possible = new Set<string>([
    ...operation.errors,
    ...always,
    ...(ofTier[rest.tier ?? operation.tier] ?? []),
    ...(operation.scope ? ['scope_required'] : []),
    ...(hasBody(capability) ? ofBody : []),
  ])
  return (refusalCodes as ErrorCode[]).filter((code) => possible.has(code))
}
