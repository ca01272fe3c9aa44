import { goInstall } from './go-install.ts'

/** Builds the CLI into `file` with the machine's Go, 1.25 or newer: some three minutes, once. */
export const buildTemporal = (file: string): Promise<void> =>
  goInstall(
    'github.com/temporalio/cli/cmd/temporal@v1.5.1',
    file,
    'Building the Temporal server with Go, once (about 3 minutes)',
  )
