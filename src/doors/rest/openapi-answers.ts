import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Capability } from '../../contract/capability.ts'
import { changeForms, type OutputSchema } from '../../contract/operation.ts'
import {
  defineOnce,
  type JsonSchema,
  jsonSchemaOf,
  type NamedSchemas,
} from '../calls/json-schema.ts'
import { answerSchemaOf } from '../calls/read-fields.ts'
import { ref } from './openapi-webhooks.ts'

type Content = Record<string, { schema: JsonSchema }>
export type Response = { description: string; content: Content }

/** What operations refer to by name; each operation adds what it needs. */
export type Named = { schemas: NamedSchemas; responses: Map<string, Response> }

/** The successes of an operation, by status. */
export function successesOf(capability: Capability, named: Named) {
  const { statuses = { 200: 'OK' }, file, live, csv } = capability.rest
  const text = { schema: { type: 'string' } }
  const name = answerName(capability)
  const content: Content = file
    ? { [file.type]: text }
    : {
        'application/json': { schema: answerOf(capability, name, named.schemas) },
        ...(live && { 'text/event-stream': text }),
        ...(csv && { 'text/csv': text }),
      }
  defineOnce(named.responses, name, { description: 'OK', content })
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [
      status,
      { ...ref('responses', name), ...(description !== 'OK' && { description }) },
    ]),
  )
}

/** The subjects of intents that have another name. */
const subjects: Readonly<Record<string, string>> = { webhook: 'endpoint', clock: 'test_clock' }

const fieldsOf = ({ operation: { output } }: Capability) =>
  output instanceof z.ZodObject ? output.shape : {}

/** The subject of the intent, if the answer has a field of that name, or that it is deleted. */
function subjectOf(capability: Capability): string | undefined {
  const [topic = ''] = capability.a2a.split('.', 1)
  const fields = fieldsOf(capability)
  return [subjects[topic] ?? topic, 'deleted'].find((name) => name in fields)
}

/** Which of the fields of an answer that operations share this one returns; `?`: sometimes. */
export function answerFieldsOf(capability: Capability): string[] | undefined {
  if (!subjectOf(capability)) return
  return Object.entries(fieldsOf(capability)).map(([name, field]) =>
    field instanceof z.ZodOptional ? `${name}?` : name,
  )
}

/** Named after the subject of its intent, after its only field, or after the intent. */
function answerName(capability: Capability): string {
  const { a2a, operation } = capability
  const subject = subjectOf(capability)
  if (subject) return `${pascalCase(subject)}Answer`
  const [only, ...others] = Object.values(fieldsOf(capability))
  const id = idOf(operation.output) ?? (only && others.length === 0 ? idOf(only) : undefined)
  return `${id ?? pascalCase(a2a)}Answer`
}

/** Refers to an answer by name. Answers about the same subject are one schema. */
function answerOf({ operation }: Capability, name: string, schemas: NamedSchemas): JsonSchema {
  const answer = answerSchemaOf(operation)
  if (!(answer instanceof z.ZodObject)) {
    return jsonSchemaOf(withNamedForms(answer, name), 'output', schemas)
  }
  const schema = jsonSchemaOf(answer, 'output', schemas)
  const other = schemas.get(name)
  schemas.set(name, other ? eitherOf(other, schema) : schema)
  return ref('schemas', name)
}

/** The forms of an answer have names too: `CompactVenueListAnswer`. */
function withNamedForms(answer: OutputSchema & z.ZodDiscriminatedUnion, id: string): OutputSchema {
  const { discriminator } = answer.def
  const formOf = ({ shape }: z.ZodObject) =>
    String((shape[discriminator] as z.ZodLiteral | undefined)?.value)
  return changeForms(answer, (one) => one.meta({ id: pascalCase(formOf(one)) + id })).meta({ id })
}

type Fields = Record<string, JsonSchema>

/** What both objects match: the fields of either, of which those in both remain required. */
function eitherOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [first, second] = [one.properties as Fields, other.properties as Fields]
  const shared = Object.entries(second).map(([name, field]) => [
    name,
    first[name] ? eitherField(first[name], field) : field,
  ])
  const required = new Set(one.required as string[]).intersection(
    new Set(other.required as string[]),
  )
  return {
    ...one,
    properties: { ...first, ...Object.fromEntries(shared) },
    required: [...required],
  }
}

/** A field that several operations describe differently has no description here. */
function eitherField(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (isDeepStrictEqual(one, other)) return one
  const [{ description: text, ...first }, { description, ...second }] = [one, other]
  const shared = text === description && { description }
  if (isDeepStrictEqual(first, second)) return { ...first, ...shared }
  if (Array.isArray(first.enum) && Array.isArray(second.enum)) {
    return { ...first, enum: [...new Set([...first.enum, ...second.enum])], ...shared }
  }
  const variants = [first, second].flatMap((field) => (field.anyOf as JsonSchema[]) ?? [field])
  const distinct = new Map(variants.map((variant) => [JSON.stringify(variant), variant]))
  return { anyOf: [...distinct.values()], ...shared }
}

export const idOf = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.id

export const pascalCase = (name: string) =>
  name.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())
