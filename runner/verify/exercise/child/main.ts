import { writeSync } from 'node:fs'
import { expect } from 'expect'
import type { Scenario } from '../../../../exercises/held-out.ts'
import { createCanaries, type Expect } from './canaries.ts'
import { type ChildInput, readWork } from './child-input.ts'
import { onFailure } from './expect-guard.ts'
import { addFinding, eachFinding } from './findings.ts'
import { createJestObject } from './jest-object.ts'
import { checkIntrinsics, sealIntrinsics } from './lock-intrinsics.ts'
import { createLoader } from './module-loader.ts'
import { playScenario } from './play-scenario.ts'
import { describeError, onStrayError, runTests, type TestOutcome, takeStray } from './run-tests.ts'
import { makeSandbox, type RealRequire } from './sandbox.ts'
import { flushConsole } from './sandbox-process.ts'
import { createGroup, createTestApi, fullName, type Group, selectTests } from './test-api.ts'

const INPUT_FD = 3
const REPORT_FD = 4
const CHANGED = 'The solution changed the built-ins of the language.'
const GRACE_MS = 2_000

/**
 * Matches tests that use regular expressions themselves. Then RegExp.prototype is frozen, which makes them ten times
 * slower. `expect` does not need that: its matchers use the original functions.
 */
const REGEXP_USE = /\.(?:test|exec|match|matchAll|replace|replaceAll|search|split)\(/

type Loaded = { scenario: Scenario | null }
type Canaries = ReturnType<typeof createCanaries>

/** Runs the test process: creates the sandbox, waits for the work, runs it and reports on a private pipe. */
export function main(realProcess: NodeJS.Process, realRequire: RealRequire): void {
  const leave = (realProcess as unknown as { reallyExit(code: number): never }).reallyExit.bind(
    realProcess,
  )
  const begin = setTimeout
  const stop = clearTimeout
  const soon = setImmediate
  realProcess.setUncaughtExceptionCaptureCallback(onStrayError)
  realProcess.on('unhandledRejection', onStrayError)
  let defaultTimeoutMs = 5_000
  const jest = createJestObject((timeoutMs) => {
    defaultTimeoutMs = timeoutMs
  })
  onFailure(checkIntrinsics)
  const sandbox = makeSandbox(realProcess, realRequire)
  // The first assertions are slow, so they run while nothing waits.
  createCanaries(expect as unknown as Expect, 'warm-up').all()
  sayReady(REPORT_FD)
  const workOn = (): void => {
    const work = readWork(INPUT_FD)
    if (work === null) {
      leave(0)
      return
    }
    const { input, moreToCome } = work
    const deadline = begin(() => leave(1), input.deadlineMs + GRACE_MS)
    deadline.unref()
    takeStray()
    const session = new Session(input, sandbox, () => defaultTimeoutMs, leave)
    const done = (code: number): void => {
      stop(deadline)
      if (moreToCome) soon(workOn)
      else leave(code)
    }
    // Only after node's own start is complete: it adds a last global there.
    soon(() => {
      Reflect.deleteProperty(globalThis, 'module')
      // Without its end the report does not count.
      session.run(jest).then(done, () => leave(70))
    })
  }
  workOn()
}

const { stringify } = JSON

/** One run of one input. */
class Session {
  readonly #input: ChildInput
  readonly #usesRegExp: boolean
  readonly #sandbox: ReturnType<typeof makeSandbox>
  readonly #timeoutMs: () => number
  readonly #leave: (code: number) => never
  readonly #report: ReportWriter
  readonly #canaries: Canaries
  readonly #probeMax: () => number | null
  #executed = 0
  #failed = 0

  constructor(
    input: ChildInput,
    sandbox: ReturnType<typeof makeSandbox>,
    timeoutMs: () => number,
    leave: (code: number) => never,
  ) {
    this.#input = input
    this.#usesRegExp = input.files.some(
      ({ role, code }) => role !== 'solution' && role !== 'scenario' && REGEXP_USE.test(code),
    )
    this.#leave = leave
    this.#probeMax = input.probe ? defineProbe() : () => null
    this.#sandbox = sandbox
    this.#timeoutMs = timeoutMs
    this.#report = createReportWriter(REPORT_FD, input.nonce)
    this.#canaries = createCanaries(expect as unknown as Expect, input.seed)
  }

  async run(jest: Record<string, unknown>): Promise<number> {
    const root = createGroup('', null, { skipped: false, only: false })
    // From here on, errors are caused by the solution; earlier ones are the harness's.
    this.#report('start', [])
    const loaded = this.#load(root, jest)
    this.#seal()
    if (loaded !== null) await this.#runTests(root)
    this.#end()
    if (loaded !== null) await this.#playScenario(loaded)
    this.#close()
    return loaded !== null && this.#failed === 0 ? 0 : 1
  }

  /** A changed language ends the run here and now, before any more code, ours included, has to live with it. */
  #seal(): void {
    if (sealIntrinsics({ freezeRegExp: this.#usesRegExp })) return
    this.#report('load-error', [['message', CHANGED]])
    this.#end()
    this.#close()
    this.#leave(1)
  }

  /** The tests are done; what the scenario observes follows. */
  #end(): void {
    this.#report('end', [
      ['executed', this.#executed],
      ['failed', this.#failed],
      ['probeMax', this.#probeMax()],
    ])
  }

  #close(): void {
    flushConsole()
    eachFinding((code, detail) =>
      this.#report('finding', [
        ['code', code],
        ['detail', detail],
      ]),
    )
    this.#report('close', [])
  }

  /** Loads the tests and answers with the scenario of the task, which may be none; null = something did not load. */
  #load(root: Group, jest: Record<string, unknown>): Loaded | null {
    const { api, close } = createTestApi(root)
    const jestGlobals = { ...api, expect, jest }
    const { builtin } = this.#sandbox
    const load = createLoader(this.#input.files, {
      builtin,
      jestGlobals,
      onSolutionLoaded: () => this.#seal(),
    })
    try {
      for (const { path, role } of this.#input.files) if (role === 'test') load(path)
      return { scenario: this.#loadScenario(load) }
    } catch (error) {
      this.#seal()
      this.#report('load-error', [['message', describeError(error)]])
      return null
    } finally {
      close()
    }
  }

  #loadScenario(load: (path: string) => unknown): Scenario | null {
    const file = this.#input.files.find(({ role }) => role === 'scenario')
    if (!file) return null
    const { scenario } = load(file.path) as { scenario?: unknown }
    if (typeof scenario !== 'function') throw new TypeError('the held-out file exports no scenario')
    return scenario as Scenario
  }

  /** The transcript is compared elsewhere, with answers that this process never sees. */
  async #playScenario({ scenario }: Loaded): Promise<void> {
    if (scenario === null) return
    const seeds = this.#input.scenarioSeeds
    for (let round = 0; round < seeds.length; round++) {
      await playScenario(scenario, seeds[round] as string, (entry) =>
        this.#report('entry', [
          ['round', round],
          ['text', entry],
        ]),
      )
    }
  }

  async #runTests(root: Group): Promise<void> {
    const { selected, skipped } = selectTests(root, this.#input.onlyFirstTest)
    for (const test of skipped) {
      this.#report('test', [
        ['name', fullName(test)],
        ['status', 'skipped'],
        ['durationMs', 0],
      ])
    }
    this.#note(this.#canaries.all() ?? (await this.#canaries.async()))
    await runTests(root, {
      selected,
      defaultTimeoutMs: this.#timeoutMs,
      checkHarness: () => this.#checkHarness(),
      onOutcome: (outcome) => this.#record(outcome),
      onFileError: (message) => this.#report('load-error', [['message', message]]),
    })
    this.#note(this.#canaries.all() ?? (await this.#canaries.async()))
  }

  #checkHarness(): string | null {
    if (!checkIntrinsics()) return CHANGED
    return this.#note(this.#canaries.one())
  }

  #note(failure: string | null): string | null {
    if (failure) addFinding('canary-failed', failure)
    return failure
  }

  #record({ name, ok, durationMs, message }: TestOutcome): void {
    this.#executed++
    if (!ok) this.#failed++
    flushConsole()
    const status = ok ? 'passed' : 'failed'
    this.#report('test', [
      ['name', name],
      ['status', status],
      ['durationMs', durationMs],
      ['message', message],
    ])
  }
}
const write = writeSync

/** Values of a record: primitives only, so that none of their methods is ever called. */
export type RecordFields = readonly (readonly [
  key: string,
  value: string | number | boolean | null,
])[]

export type ReportWriter = (kind: string, fields: RecordFields) => void

/**
 * Writes one JSON line for each record to the private pipe, each with the nonce. Built by string concatenation with
 * functions captured before the solution loads; `stringify` gets only primitives.
 */
export function createReportWriter(fd: number, nonce: string): ReportWriter {
  const prefix = `{"nonce":${stringify(nonce)},"kind":`
  return (kind, fields) => {
    let line = prefix + stringify(kind)
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index]
      if (field) line += `,${stringify(field[0])}:${stringify(field[1])}`
    }
    write(fd, `${line}}\n`)
  }
}

/**
 * Writes the first line of every report: the sandbox is ready and waits for work. Nothing hostile has been read yet.
 */
export function sayReady(fd: number): void {
  try {
    write(fd, '{"kind":"ready"}\n')
  } catch {
    // Without a runner at the other end there will be no work either.
  }
}

/** Gives the sandbox `__proofboardProbe(n)`; returns a reader of the highest number it was called with. */
export function defineProbe(): () => number | null {
  let highest: number | null = null
  const probe = (value: unknown): void => {
    if (typeof value === 'number' && (highest === null || value > highest)) highest = value
  }
  Object.defineProperty(globalThis, '__proofboardProbe', { value: probe })
  return () => highest
}
