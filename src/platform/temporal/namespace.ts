import { setTimeout } from 'node:timers/promises'
import { type Client, isGrpcServiceError } from '@temporalio/client'
import proto from '@temporalio/proto'
import { searchAttributeTypes } from '../../base/task-queues.ts'

const RETENTION_SECONDS = 30 * 24 * 3600
const NOT_FOUND = 5
const ALREADY_EXISTS = 6
/** PERMISSION_DENIED and UNIMPLEMENTED: how Temporal Cloud refuses a key that lacks rights. */
const NOT_FOR_US = [7, 12]

/**
 * Creates the namespace and its search attributes if missing, and keeps closed workflows for at
 * least 30 days. Needs an operator's rights.
 */
export async function setUpNamespace(client: Client): Promise<void> {
  await ensureNamespace(client)
  const missing = await findMissingAttributes(client)
  if (missing.length === 0) return
  const added = await except(NOT_FOR_US, addSearchAttributes(client, missing))
  if (!added) throw new Error(`${lacking(client, missing)} Add them with the server’s own tools.`)
}

/**
 * Throws, naming the remedy, unless namespace and search attributes exist. Assumes that the
 * attributes exist if this process is not allowed to list them.
 */
export async function requireNamespace(client: Client): Promise<void> {
  const { namespace } = client.options
  const describing = client.workflowService.describeNamespace({ namespace })
  const description = await except([NOT_FOUND], describing).catch(
    insteadOfDenial(
      `The Temporal server does not let this process into namespace ${namespace}. ` +
        'Check TEMPORAL_NAMESPACE and TEMPORAL_API_KEY.',
    ),
  )
  if (!description) throw new Error(`Namespace ${namespace} does not exist. ${howToSetUp}`)
  const missing = await findMissingAttributes(client)
  if (missing.length > 0) throw new Error(`${lacking(client, missing)} ${howToSetUp}`)
}

const howToSetUp = 'Run `npm run migrate` with TEMPORAL_ADDRESS and an operator’s rights.'

async function ensureNamespace(client: Client): Promise<void> {
  const { workflowService } = client
  const { namespace } = client.options
  const retention = { seconds: RETENTION_SECONDS as unknown as Long }
  const description = await except([NOT_FOUND], workflowService.describeNamespace({ namespace }))
  if (!description) {
    const created = { namespace, workflowExecutionRetentionPeriod: retention }
    const creating = except([ALREADY_EXISTS], workflowService.registerNamespace(created))
    await creating.catch(
      insteadOfDenial(
        `Namespace ${namespace} does not exist. Create it with the server’s own tools.`,
      ),
    )
  }
  // A server sees a new namespace only after refreshing its list.
  while (!(await except([NOT_FOUND], findMissingAttributes(client)))) await setTimeout(200)
  const seconds = Number(
    description?.config?.workflowExecutionRetentionTtl?.seconds ?? RETENTION_SECONDS,
  )
  if (seconds >= RETENTION_SECONDS) return
  const config = { workflowExecutionRetentionTtl: retention }
  const days = RETENTION_SECONDS / 86_400
  const tooShort = `Namespace ${namespace} keeps closed workflows for less than ${days} days.`
  await workflowService
    .updateNamespace({ namespace, config })
    .catch(insteadOfDenial(`${tooShort} Change its retention with the server’s own tools.`))
}

/** Names the remedy if the server reserves an action for its operators. */
const insteadOfDenial = (message: string) => (error: unknown) => {
  const isDenied = isGrpcServiceError(error) && NOT_FOR_US.includes(error.code)
  throw isDenied ? new Error(message) : error
}

const except = <T>(codes: readonly number[], call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (isGrpcServiceError(error) && codes.includes(error.code)) return undefined
    throw error
  })

const { IndexedValueType } = proto.temporal.api.enums.v1
const requiredAttributes = Object.entries(searchAttributeTypes).map(
  ([name, type]) => [name, IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]] as const,
)

type Attribute = (typeof requiredAttributes)[number]

const nameOf = (type: number) => `${IndexedValueType[type]}`.replace('INDEXED_VALUE_TYPE_', '')

const lacking = ({ options: { namespace } }: Client, missing: readonly Attribute[]) =>
  `Namespace ${namespace} lacks search attributes: ` +
  `${missing.map(([name, type]) => `${name} (${nameOf(type)})`).join(', ')}.`

async function findMissingAttributes(client: Client): Promise<readonly Attribute[]> {
  const { namespace } = client.options
  const listing = client.connection.operatorService.listSearchAttributes({ namespace })
  const listed = await except(NOT_FOR_US, listing)
  if (!listed) return []
  requireTypes(client, listed.customAttributes)
  return requiredAttributes.filter(([name]) => !(name in listed.customAttributes))
}

/** Throws if an attribute has the wrong type: queries would silently never match. */
function requireTypes({ options }: Client, present: Record<string, number>): void {
  const wrong = requiredAttributes.filter(([name, type]) => (present[name] ?? type) !== type)
  if (wrong.length === 0) return
  const names = wrong.map(([name, type]) => `${name} (must be ${nameOf(type)})`)
  throw new Error(
    `Namespace ${options.namespace} has search attributes of another type: ${names.join(', ')}. ` +
      'Remove them with `temporal operator search-attribute remove`, or use another ' +
      'TEMPORAL_NAMESPACE.',
  )
}

/** Registers all attributes by default, without checking, for servers that cannot list theirs. */
export async function addSearchAttributes(
  { connection, options: { namespace } }: Client,
  attributes: readonly Attribute[] = requiredAttributes,
): Promise<object> {
  const searchAttributes = Object.fromEntries(attributes)
  return connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
}
