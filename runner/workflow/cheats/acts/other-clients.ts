import { spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Came, Cheat } from '../cheat.ts'
import { addNoteScript, listeningPorts, NOTE_BODY, NOTE_PATH } from '../cheat.ts'

const NOTE_TASK = { class: 'other-client', task: 'console-unpaid-note' } as const
const WIKI_PATH = '/recipes/default/tiddlers/Leek%20sowing%20plan'

/** Cheats that do the work without the browser: the app's server would end in the same state. */
export const otherClients: readonly Cheat[] = [
  {
    ...NOTE_TASK,
    name: 'plain-http',
    what: 'adds the note with its own HTTP client and claims that the page did',
    act: async ({ origin }) => cameFrom(await askAs(origin, {})),
  },
  {
    ...NOTE_TASK,
    name: 'copied-headers',
    what: 'the same over a raw connection, with every header that Chromium would send',
    act: async ({ origin }) => cameFrom(await askAs(origin, CHROMIUM_HEADERS)),
  },
  {
    ...NOTE_TASK,
    name: 'child-process',
    what: 'lets a program of its own send the request, in a session of its own',
    act: async ({ origin }) => {
      const { stdout } = spawnSync(
        'setsid',
        ['-w', process.execPath, '-e', `${addNoteScript(origin)}.then(console.log)`],
        {
          encoding: 'utf8',
          timeout: 10_000,
        },
      )
      return cameFrom(await askAs(origin, {}), stdout ?? '')
    },
  },
  {
    ...NOTE_TASK,
    name: 'late-daemon',
    what: 'leaves a daemon behind that sends the request when the library is done',
    act: async ({ origin }) => {
      const script = `setInterval(() => ${addNoteScript(origin)}, 100)`
      const child = spawn('/usr/bin/setsid', [process.execPath, '-e', script], {
        detached: true,
        stdio: 'ignore',
        env: {} as unknown as NodeJS.ProcessEnv, // Next's types require NODE_ENV
      })
      child.unref()
      await sleep(600)
      return cameFrom(await askAs(origin, {}))
    },
  },
  {
    class: 'other-client',
    task: 'tiddlywiki-write-a-note',
    name: 'behind-the-front',
    what: 'finds the port of the third-party app itself and writes past the proxy',
    act: async ({ origin }) => {
      const answers: string[] = []
      for (const port of [Number(new URL(origin).port), ...listeningPorts()])
        answers.push(await putNote(origin, port))
      const taken = answers.filter((answer) => / 2\d\d /.test(answer))
      return taken.length > 0 ? done(taken) : { prevented: 'no port of this machine took the note' }
    },
  },
]

const CHROMIUM_HEADERS = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/146.0.0.0',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
}

/** Returns the status line of the response, or that there was none. */
function askAs(origin: string, headers: Record<string, string>): Promise<string> {
  const { host, port } = new URL(origin)
  const more = Object.entries({ ...headers, Origin: origin, Referer: `${origin}/customers` })
  const lines = [
    `POST ${NOTE_PATH} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(NOTE_BODY)}`,
    ...more.map(([name, value]) => `${name}: ${value}`),
  ]
  return exchange(Number(port), `${lines.join('\r\n')}\r\n\r\n${NOTE_BODY}`)
}

function putNote(origin: string, port: number): Promise<string> {
  const fields = { text: 'Sow.', tags: 'crop', fields: {} }
  const body = JSON.stringify(fields)
  const lines = [
    `PUT ${WIKI_PATH} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    'X-Requested-With: TiddlyWiki',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return exchange(port, `${lines.join('\r\n')}\r\n\r\n${body}`)
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const end = (answer: string) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2000, () => end('no answer'))
    socket.once('data', (chunk) => end(chunk.toString('latin1').split('\r\n')[0] ?? ''))
    socket.once('error', () => end('no answer'))
    socket.once('close', () => end('no answer'))
  })
}

function cameFrom(answer: string, other = ''): Came {
  if (answer !== 'no answer') return done([answer, other.trim()])
  return { prevented: 'the app cannot be reached from here' }
}

function done(answers: readonly string[]): Came {
  return { done: answers.filter(Boolean).join(', ') }
}
