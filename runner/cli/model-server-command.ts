import { once } from 'node:events'
import type { Command } from 'commander'
import { countOf } from '#lib/domain/text/index.ts'
import { parseScript } from '../gateway/model-script.ts'
import { startModelServer } from '../gateway/model-server.ts'
import { usageError } from '../runner-error.ts'
import { readInputFile } from './input-files.ts'
import { portOption } from './options.ts'
import { commandSignal, printResult, writeError } from './output.ts'

/** `proofboard model-server`: a provider that responds from a script, to test an agent by hand; ends with Ctrl-C. */
export function addModelServerCommand(program: Command): void {
  program
    .command('model-server')
    .description('serve a scripted conversation as a model provider, over all four protocols')
    .requiredOption(
      '--script <file.json>',
      'the turns: [{ "say": … }, { "call": { "tool": …, "input": … } }]',
    )
    .option('--port <n>', 'loopback port (default: a free one)', portOption)
    .action(execute)
}

async function execute({ script, port = 0 }: { script: string; port?: number }): Promise<void> {
  const parsed = parseScript(readInputFile(script))
  if (!parsed.ok) throw usageError(`--script ${script}: ${parsed.problem}`)
  const signal = commandSignal({ stopWithStdin: false })
  const server = await listen(parsed.value, port)
  printResult(`${server.url}  (any key; Ctrl-C stops)`)
  if (!signal.aborted) await once(signal, 'abort')
  await server.close()
  for (const problem of server.problems) writeError(problem)
  printResult(countOf(server.requests.length, 'request'))
}

async function listen(script: Parameters<typeof startModelServer>[0], port: number) {
  try {
    return await startModelServer(script, { key: null, port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw usageError(`port ${port} is in use: choose another --port`)
  }
}
