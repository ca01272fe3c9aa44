import { type ErrorCode, errorCatalogue } from '../contract/rules/error-catalogue.ts'
import { Refusal, type RefusalData, refusalData } from '../contract/rules/errors.ts'
import { isDatabaseUnavailable } from '../platform/database/unavailable.ts'

const RETRY_AFTER_SECONDS = 5

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** Any error in the words of the catalogue. What we did not foresee becomes `internal_error` and shows nothing. */
export function refusalFrom(error: unknown): RefusalData {
  if (error instanceof Refusal) return error.data
  if (isDatabaseUnavailable(error)) {
    return refusalData('service_unavailable', undefined, { retry_after: RETRY_AFTER_SECONDS })
  }
  if (!(error instanceof Error)) return refusalData('internal_error')
  const known = 'code' in error ? frameworkCodes[String(error.code)] : undefined
  if (known) return refusalData(known)
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  return refusalData(status >= 400 && status < 500 ? 'malformed_request' : 'internal_error')
}

/** How loudly the log tells of a code: `error` is our fault, `warn` is too much work. */
export function levelOf(code: ErrorCode | 'ok'): 'info' | 'warn' | 'error' {
  if (code === 'overloaded') return 'warn'
  return code !== 'ok' && errorCatalogue[code].status >= 500 ? 'error' : 'info'
}
