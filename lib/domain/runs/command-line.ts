type CommandTree<C> = { readonly commands: readonly C[]; copyInheritedSettings(from: C): unknown }

/** Subcommands do not inherit exit and output settings from their parent, so each is configured. */
export function inheritSettings<C extends CommandTree<C>>(command: C): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command)
    inheritSettings(child)
  }
}

/** Formats a usage error of the command line as one line; `help` is the text for a missing command. */
export function formatUsageError(error: { code: string; message: string }, help: string): string {
  if (error.code === 'commander.help') return `missing command: see ${help}`
  return error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)/s, ': did you mean $1?')
}

type GivenCommand = {
  readonly options: readonly { long?: string | undefined; flags: string; attributeName(): string }[]
  readonly args: readonly string[]
  getOptionValue(name: string): unknown
}

/**
 * Returns the option with the first empty value, and a sentence about it; an unset shell variable would otherwise refer
 * to the current folder.
 */
export function findEmptyValue(
  command: GivenCommand,
): { message: string; option: string | null } | null {
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === ''
  for (const option of command.options) {
    const flag = option.long ?? option.flags
    if ([command.getOptionValue(option.attributeName())].flat().some(isEmpty))
      return { message: `${flag} is empty: give it a value, or leave it out`, option: flag }
  }
  if (!command.args.some(isEmpty)) return null
  return { message: 'an argument is empty: check the variables that it is made of', option: null }
}

/** Error codes that only an invalid path argument causes. */
const UNUSABLE = new Set(['ELOOP', 'ENAMETOOLONG'])

/** Formats a file system error caused by a path argument as one sentence; null = possibly a bug. */
export function formatPathError(error: {
  code?: string | undefined
  path?: string | undefined
}): string | null {
  const { code = '', path = 'the path' } = error
  return UNUSABLE.has(code)
    ? `${path.slice(0, 60)} cannot be used (${code}): choose another path`
    : null
}
