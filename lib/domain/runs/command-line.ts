type CommandTree<C> = { readonly commands: readonly C[]; copyInheritedSettings(from: C): unknown }

/** Sub-commands do not take over how their parent exits and prints, so every one of them is told. */
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
