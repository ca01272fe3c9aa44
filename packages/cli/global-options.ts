/** Options common to all commands. */
export const globalOptions = {
  json: { kind: 'flag', about: 'Print the whole answer as JSON' },
  url: { kind: 'text', value: 'URL', about: 'Address of the network' },
  profile: { kind: 'text', value: 'NAME', about: 'Profile to use; "default" if omitted' },
  'key-stdin': { kind: 'flag', about: 'Read the API key from stdin' },
  help: { kind: 'flag', short: 'h', about: 'Show help for the command' },
} as const
