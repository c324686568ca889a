import { shellWord } from '#lib/domain/shell-word.ts'
import type { ModelScript, ScriptCall } from '../gateway/scripted/script.ts'
import type { LoadedExercise, SourceText } from '../suites/task-folder.ts'

/**
 * What a scripted model says that knows the reference: looks at the stubs, writes the reference through the agent's own
 * shell, says that it is done. It proves the way from prompt to verdict, not any skill: mode `mock`.
 */
export function solveScript(task: LoadedExercise): ModelScript {
  const paths = task.reference.map(({ path }) => shellWord(path)).join(' ')
  return {
    turns: [
      { say: 'I look at what is there.', call: shell(`cat ${paths}`, 'Show the stubs') },
      { call: shell(task.reference.map(writeCommand).join(' && '), 'Write the solution') },
      { say: 'The solution is written.' },
    ],
  }
}

/** Base64 survives every quoting on the way. */
function writeCommand({ path, text }: SourceText): string {
  const encoded = Buffer.from(text).toString('base64')
  return `printf %s ${encoded} | base64 --decode > ${shellWord(path)}`
}

/** The same shell command as each agent calls its shell; the first one that is offered is taken. */
function shell(command: string, description: string): ScriptCall[] {
  const common = { command, description }
  return [
    { tool: 'Bash', input: common },
    { tool: 'bash', input: common },
    { tool: 'run_shell_command', input: { ...common, is_background: false } },
    { tool: 'exec_command', input: { cmd: command } },
    { tool: 'shell', input: { command: ['/bin/sh', '-c', command] } },
    { tool: 'Shell', input: { command } },
    { tool: 'execute_command', input: { command, requires_approval: false } },
    { tool: 'run_commands', input: { commands: [command] } },
    { tool: 'developer__shell', input: { command } },
    { tool: 'Execute', input: { command } },
  ]
}
