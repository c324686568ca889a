type CommandTree<C> = { readonly commands: readonly C[]; copyInheritedSettings(from: C): unknown }

/** Sub-commands do not inherit how their parent exits and prints, so each is configured. */
export function inheritSettings<C extends CommandTree<C>>(command: C): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command)
    inheritSettings(child)
  }
}

/** A usage error of the command line as one line of text; `help` is what to say where the command itself is missing. */
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

/** The first empty value of a command, as a sentence, and its option; an unset shell variable would name the current folder by mistake. */
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

/** A path can only be like this when it was typed. */
const UNUSABLE = new Set(['ELOOP', 'ENAMETOOLONG'])

/** An error of the file system that a typed path causes, as one sentence; null = it may be our bug. */
export function formatPathError(error: {
  code?: string | undefined
  path?: string | undefined
}): string | null {
  const { code = '', path = 'the path' } = error
  return UNUSABLE.has(code)
    ? `${path.slice(0, 60)} cannot be used (${code}): choose another path`
    : null
}
