/** Exit codes; docs/guides/cli.md has the same table. */
export const exitCodes = {
  done: 0,
  /** refused by the network, or failed */
  refused: 1,
  /** invalid usage */
  misused: 2,
  /** no usable answer, or one that could not be written; the outcome of a change is unknown */
  unreachable: 3,
  /** accepted, still pending after `--wait` */
  pending: 4,
  /** Ctrl-C, by shell convention */
  interrupted: 130,
  /** SIGTERM, by shell convention */
  terminated: 143,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
