import { PROTOCOL } from '../../base/ids.ts'
import { shellQuoted } from '../../base/shell-text.ts'
import { jsonText } from '../page/components.ts'
import type { ReferenceOperation } from './reference-operations.ts'

type Sample = { label: string; code: string; language: string }

/** One call in curl, TypeScript and Python, and as an A2A envelope. Each contains `$KEY`. */
export function exampleCalls(operation: ReferenceOperation, publicUrl: string): Sample[] {
  const { method, a2a } = operation
  const url = `${publicUrl}${addressOf(operation)}`
  const body = operation.requestBody?.content['application/json'].example
  const hasBody = body !== undefined && Object.keys(body).length > 0
  const envelope = {
    protocol: PROTOCOL,
    from: 'agent://my-agent',
    intent: a2a,
    payload: operation.input,
  }
  const type = 'Content-Type: application/json'
  const contentType = hasBody ? ", 'content-type': 'application/json'" : ''
  return [
    {
      label: 'curl',
      language: 'bash',
      code: [
        `curl ${method === 'GET' ? '' : `-X ${method} `}"${url}"`,
        '-H "Authorization: Bearer $KEY"',
        ...(hasBody ? [`-H "${type}"`, `-d ${shellQuoted(jsonText(body))}`] : []),
      ].join(' \\\n  '),
    },
    {
      label: 'TypeScript',
      language: 'typescript',
      code: [
        `const response = await fetch('${url}', {`,
        ...(method === 'GET' ? [] : [`  method: '${method}',`]),
        `  headers: { authorization: \`Bearer \${process.env.KEY}\`${contentType} },`,
        ...(hasBody ? [`  body: JSON.stringify(${indented(jsonText(body))}),`] : []),
        '})',
        'console.log(response.status, await response.json())',
      ].join('\n'),
    },
    {
      label: 'Python',
      language: 'python',
      code: [
        'import os, requests\n',
        `response = requests.${method.toLowerCase()}(`,
        `    "${url}",`,
        `    headers={"Authorization": f"Bearer {os.environ['KEY']}"},`,
        ...(hasBody ? [`    json=${pythonOf(body)},`] : []),
        ')',
        'print(response.status_code, response.json())',
      ].join('\n'),
    },
    {
      label: 'A2A',
      language: 'bash',
      code: [
        `curl "${publicUrl}/a2a/v1"`,
        '-H "Authorization: Bearer $KEY"',
        `-H "${type}"`,
        `-d ${shellQuoted(jsonText(envelope))}`,
      ].join(' \\\n  '),
    },
  ]
}

/** The path and query, with examples for all parameters that are required or have an example. */
function addressOf({ path, parameters }: ReferenceOperation): string {
  const exampleOf = (name: string) => {
    const parameter = parameters.find((one) => one.name === name)
    return parameter && 'example' in parameter ? String(parameter.example) : `{${name}}`
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(exampleOf(name)))
  const query = parameters.flatMap((one): [string, string][] =>
    one.in === 'query' && 'example' in one ? [[one.name, String(one.example)]] : [],
  )
  return query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled
}

const indented = (text: string) => text.replaceAll('\n', '\n  ')

const pythonOf = (value: unknown) =>
  indented(
    jsonText(value)
      .replaceAll(/\btrue\b/g, 'True')
      .replaceAll(/\bfalse\b/g, 'False')
      .replaceAll(/\bnull\b/g, 'None'),
  ).replaceAll('\n', '\n  ')
