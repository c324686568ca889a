import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { INSIDE_GATEWAY } from '../sandbox/isolation/isolation.ts'
import {
  type EnclosedAttempt,
  type EnclosedProgram,
  runEnclosed,
} from '../sandbox/isolation/run-enclosed.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import type { ProcessEnding } from '../sandbox/process/run-process.ts'
import { subjectEnv } from '../subjects/agents/agent-program.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { ForwardedSocket, HostRequest, LibrarySockets } from './host-protocol.ts'
import { type LibraryTrace, readTrace } from './read-trace.ts'
import { resolveLibrary } from './registry.ts'
import { insideSocket, librarySandbox } from './sandbox/library-sandbox.ts'

export const HOST_PROGRAM = 'runner/libraries/host/main.ts'

/** Environment of a library; without `reach` it is isolated only from the harness's environment. */
export type LibraryContext = EnclosedAttempt & {
  reach?: LibrarySockets | null
  /** Called with the trace's path before the library writes to it. */
  follow?: (tracePath: string) => void
}

/** A request without the members that only this file sets. */
export type LibraryRequest = Omit<HostRequest, 'tracePath' | 'sockets' | 'chromedriver'>

/** `shown`: further programs that its sandbox has to expose. */
type PlayOptions = Pick<EnclosedProgram, 'gateway'> & { shown?: readonly string[] }

/**
 * Runs one library on one task in its own process and returns when all of it has ended. The process's output is trusted
 * only in its shape; the contract decides whether the task was done.
 */
export async function playLibrary(
  turn: LibraryContext,
  order: LibraryRequest,
  env: Env,
  { gateway = null, shown = [] }: PlayOptions = {},
): Promise<LibraryTrace & { ending: ProcessEnding }> {
  const program = await bundleProgram(HOST_PROGRAM)
  const { reach = null } = turn
  const sockets = reach === null ? [] : [reach.browser, ...gatewaySockets(gateway)]
  const isolation =
    reach === null
      ? turn.isolation
      : librarySandbox({ sockets, shown: [program, ...shown, ...shownFor(order, reach, env)] })
  const { home, temporary } = isolation.inside(turn)
  const orderPath = join(turn.temporary, 'order.json')
  const tracePath = join(turn.temporary, 'trace.jsonl')
  const whole: HostRequest = {
    ...order,
    sockets: sockets.map((one) => ({ port: one.port, socketPath: insideSocket(one) })),
    chromedriver: reach?.chromedriver ?? null,
    tracePath,
  }
  await writeFile(orderPath, JSON.stringify(whole))
  turn.follow?.(tracePath)
  const ending = await runEnclosed(
    { ...turn, isolation },
    {
      command: [reach === null ? nodeProgram().path : 'node', program],
      env: {
        ...subjectEnv({ home, temporary, runMark: turn.runMark }, env),
        ...settingsOf(order, env),
      },
      stdin: orderPath,
      gateway,
    },
  )
  return { ending, ...(await readTrace(tracePath, order.maxActions)) }
}

function gatewaySockets(gateway: EnclosedProgram['gateway']): ForwardedSocket[] {
  return gateway ? [{ port: INSIDE_GATEWAY.port, socketPath: gateway.socketPath }] : []
}

function shownFor(order: LibraryRequest, { chromedriver }: LibrarySockets, env: Env): string[] {
  const { drive } = order
  const driver = drive.kind === 'scripted' ? [drive.driverPath] : []
  const webdriver = chromedriver?.startsWith('/usr/') === false ? [chromedriver] : []
  return [...driver, ...webdriver, ...(resolveLibrary(order)?.programs?.(env) ?? [])]
}

/** Returns the owner's settings that only this library gets. */
export function settingsOf(
  order: Pick<LibraryRequest, 'library' | 'definition'>,
  env: Env,
): Record<string, string> {
  const names = resolveLibrary(order)?.passesOn ?? []
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

/**
 * Bundles one TypeScript entry of this repository for plain node; cached until a source changes. `entry` is relative to
 * the repository or absolute.
 */
export async function bundleProgram(entry: string): Promise<string> {
  // Loaded from its own path: inside a bundle it would take the bundle's folder for the repository.
  const url = pathToFileURL(join(PROJECT_ROOT, 'lib', 'setup', 'bundle.mjs')).href
  const { bundleEntry } = await import(/* @vite-ignore */ url)
  return bundleEntry(resolve(PROJECT_ROOT, entry))
}
