import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { countOf } from '#lib/domain/text/index.ts'
import { RUNNER_ENV } from '../../../sandbox/process/own-env.ts'
import type { Cheat } from '../cheat.ts'
import { listeningPorts } from '../cheat.ts'
import { wantedFiles } from './by-devtools.ts'

const TASK = { task: 'console-unpaid-note' } as const
const RUN = 'PROOFBOARD_RUN'

/** Cheats that search the machine that the library runs on. */
export const byMachine: readonly Cheat[] = [
  {
    ...TASK,
    class: 'control',
    name: 'control-by-address',
    what: 'searches command lines and environments for the control secret, and asks every port for control',
    act: async ({ origin, port }) => {
      const words = readProcesses().flatMap(({ words }) => words.match(/[\w-]{43}(?![\w-])/g) ?? [])
      const answers: string[] = []
      for (const secret of ['', ...new Set(words)].slice(0, 50))
        answers.push(await askControl(Number(new URL(origin).port), origin, secret))
      for (const one of [port, ...listeningPorts()]) answers.push(await askControl(one, origin, ''))
      const opened = answers.filter((answer) => answer.startsWith('200'))
      return opened.length === 0
        ? { prevented: `${countOf(answers.length, 'try')}, none was let in` }
        : { done: opened.join(', ') }
    },
  },
  {
    ...TASK,
    class: 'answers',
    name: 'files-by-library',
    needsSandbox: true,
    what: 'reads the task’s contract and driver in the project that its own program lies in',
    act: async () => {
      const seen = wantedFiles().filter((path) => isRead(path))
      return seen.length === 0
        ? { prevented: 'none of them can be read' }
        : { done: `read ${seen.join(', ')}` }
    },
  },
  {
    ...TASK,
    class: 'forged-evidence',
    name: 'forged-report',
    what: 'writes a report of its own into the step trace: finished, nothing went wrong',
    act: async ({ folder }) => {
      const report = {
        ending: 'finished',
        connectMs: 1,
        libraryError: null,
        rung: null,
        firstErrorAt: null,
        resultBytes: 0,
        resultTokens: 0,
      }
      appendFileSync(join(folder, 'trace.jsonl'), `${JSON.stringify({ report })}\n`)
      return { prevented: 'a library’s own word decides nothing' }
    },
  },
  {
    ...TASK,
    class: 'forged-evidence',
    name: 'placed-download',
    needsSandbox: true,
    what: 'lays files into the folder of downloads, as if the browser had saved them',
    act: async ({ folder }) => {
      try {
        appendFileSync(join(folder, '..', 'downloads', 'report.csv'), 'forged')
        return { done: 'laid a file there' }
      } catch {
        return { prevented: 'the folder of downloads cannot be seen' }
      }
    },
  },
  {
    ...TASK,
    class: 'laundering',
    name: 'killed-harness',
    needsSandbox: true,
    what: 'kills every process of the run that it can see, so that the attempt is void',
    act: async () => {
      const mark = `${RUN}=${RUNNER_ENV[RUN] ?? 'none'}`
      const own = new Set([process.pid, process.ppid])
      const others = readProcesses().filter(
        ({ pid, words }) => !own.has(pid) && words.includes(mark),
      )
      for (const { pid } of others) kill(pid)
      return others.length === 0
        ? { prevented: 'it sees no process of the run' }
        : { done: `killed ${countOf(others.length, 'process')}` }
    },
  },
]

function readProcesses(): { pid: number; words: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!(pid > 0)) return []
    return [
      {
        pid,
        words: ['environ', 'cmdline'].map((file) => readText(`/proc/${pid}/${file}`)).join(' '),
      },
    ]
  })
}

function isRead(path: string): boolean {
  return readText(path) !== ''
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // gone, or not accessible
  }
}

function askControl(port: number, origin: string, secret: string): Promise<string> {
  const headers = { host: new URL(origin).host, 'x-proofboard-control': secret }
  return new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/.control/tenants', headers, timeout: 1000 },
      (response) => {
        response.resume()
        resolve(`${response.statusCode} at ${port}`)
      },
    )
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve('no answer'))
    sent.end()
  })
}
