import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { closeDatabase, database } from '#lib/db/database.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { type Actor, writeAudience } from '#lib/domain/accounts/index.ts'
import { type Board, boardSchema } from '#lib/domain/board/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { Plan } from '#lib/domain/record/index.ts'
import { settleEnv } from '#lib/env.ts'
import { addToken } from '#lib/server/accounts/tokens.ts'
import { CONSOLE } from '../../corpora/submit-body.ts'
import { type Copy, startCopy } from '../../e2e/start-copy.ts'
import { LocalIssuer, OTHER_REPOSITORY, WORKFLOW } from '../../factories/local-issuer.ts'
import { lastJson, startProofboard, temporarySuite } from '../../factories/proofboard-command.ts'
import { type ForgedRun, forgePlan, forgeRun, type PlanChanges, type RunChanges } from './forge.ts'
import { playLocalRuns } from './local-runs.ts'
import { makeRealAttempts, type RealAttempts, SUITE, TASKS } from './real-attempts.ts'
import {
  BROWSER_SUITE,
  makeRealWorkflows,
  type RealWorkflows,
  temporaryBrowserSuite,
} from './real-workflows.ts'

/** Authenticates a sender: a token, or an identity that is signed for each body. */
export type AttackSender = { key: (body?: Uint8Array) => Promise<string> }
/** A response of the server: `text` is its message. */
export type ServerResponse = { status: number; text: string; body: Record<string, unknown> }

const SETTINGS = {
  PROOFBOARD_FIRST_RUNS: '0',
  PROOFBOARD_CHROMIUM: 'none',
  PROOFBOARD_WRITES_PER_MINUTE: '100000',
}

const MAX_ATTEMPT_MS = 600_000

/** The attacked board and everything that an attacker has: tokens, real attempts, the public API. */
export class AttackedBoard {
  readonly real: RealAttempts
  readonly copy: Copy
  readonly issuer: LocalIssuer
  readonly #own: { work: string; author: AttackSender }
  #local: Promise<Copy> | undefined

  private constructor(
    real: RealAttempts,
    copy: Copy,
    issuer: LocalIssuer,
    own: { work: string; author: AttackSender },
  ) {
    this.real = real
    this.copy = copy
    this.issuer = issuer
    this.#own = own
  }

  /** Starts `npm start` on an empty data folder with the suite, and runs the attempts that attacks are built from. */
  static async open(): Promise<AttackedBoard> {
    const work = await mkdtemp(join(tmpdir(), 'proofboard-claims-'))
    const issuer = await LocalIssuer.start()
    const settings = { ...SETTINGS, PROOFBOARD_OIDC_ISSUERS: issuer.url }
    const copy = await startCopy(settings, async (dir) => {
      temporarySuite(dir, SUITE, TASKS)
      temporaryBrowserSuite(dir)
    })
    Object.assign(process.env, {
      PROOFBOARD_DATA_DIR: copy.dataDir,
      PROOFBOARD_LOG_LEVEL: 'silent',
    })
    settleEnv(process.cwd())
    const author = await newToken('author')
    const real = await makeRealAttempts(work, async (plan, runId) => {
      const asks = ['plan', '--register', '--plan', plan, '--run-id', runId]
      await command(work, [...asks, '--to', copy.url, '--auth', 'token'], author)
    })
    for (const { repository_id, repository_owner_id } of [WORKFLOW, OTHER_REPOSITORY]) {
      const rule = [
        ['--repository-id', repository_id],
        ['--owner-id', repository_owner_id],
        ['--ref', 'refs/heads/main'],
        ['--issuer', issuer.url],
      ].flat()
      const args = ['oidc', 'allow', ...rule]
      const { code, stderr } = await startProofboard(copy.dataDir, args, settings).ended
      if (code !== 0) throw new Error(stderr)
    }
    return new AttackedBoard(real, copy, issuer, { work, author })
  }

  async close(): Promise<void> {
    await closeDatabase()
    await this.issuer.close()
    await (await this.#local?.catch(() => null))?.stop()
    await this.copy.stop()
    rmSync(this.#own.work, { recursive: true, force: true })
  }

  /** Creates an upload token: every attack comes from a different sender. */
  token(name: string): Promise<AttackSender> {
    return newToken(name)
  }

  /** Creates two upload tokens of one person. */
  async tokensOfPerson(name: string): Promise<[AttackSender, AttackSender]> {
    const actor = {
      kind: 'user',
      id: `user_${name}`,
      name: `${name}@example.com`,
      role: 'admin',
    } as const
    const make = (part: string) => newToken(`${name}-${part}`, actor)
    return [await make('one'), await make('other')]
  }

  /** Uploads the real run as sealed, by the command that registered its plan; returns its id. */
  async submitReal(): Promise<string> {
    const { folder, bundle } = this.real
    const { work, author } = this.#own
    await command(work, ['submit', folder, '--to', this.copy.url, '--auth', 'token'], author)
    return bundle.runId
  }

  /** A workflow of the allowed repository or, with other claims, of any other. */
  workflow(claims: Record<string, unknown> = {}): AttackSender {
    const board = this.copy.url.replace('127.0.0.1', 'localhost')
    return {
      key: (body = Buffer.alloc(0)) =>
        this.issuer.sign(writeAudience(board, digestBytes(body)), { claims }),
    }
  }

  plan(name: string, changes: PlanChanges = {}): Plan {
    return forgePlan(this.real, name, changes)
  }

  run(plan: Plan, changes: RunChanges = {}): ForgedRun {
    return forgeRun(this.real, plan, changes)
  }

  register(by: AttackSender, request: Record<string, unknown>): Promise<ServerResponse> {
    return this.#post('/api/v1/plans', by, 'application/json', Buffer.from(JSON.stringify(request)))
  }

  /** Uploads a run after its last episode has ended, by default with its evidence. */
  async send(
    by: AttackSender,
    run: Pick<ForgedRun, 'zip' | 'bundle' | 'endsAt'>,
    as: 'zip' | 'bundle' = 'zip',
  ) {
    const leftMs = run.endsAt.getTime() - Date.now()
    // Attempts of a browser take minutes on a busy machine; a later end time is part of the attack.
    if (leftMs > 0 && leftMs < MAX_ATTEMPT_MS) await pause(leftMs)
    return as === 'zip'
      ? this.sendBytes(by, run.zip, 'application/zip')
      : this.sendBytes(by, Buffer.from(run.bundle), 'application/json')
  }

  sendBytes(by: AttackSender, body: Uint8Array, type: string): Promise<ServerResponse> {
    return this.#post('/api/v1/results', by, type, body)
  }

  #workflows: Promise<RealWorkflows> | undefined

  /** Real attempts of a browser library, made on first use. */
  workflows(): Promise<RealWorkflows> {
    this.#workflows ??= makeRealWorkflows(this.#own.work)
    return this.#workflows
  }

  /** Adds a correction to the ledger, as an administrator does on the command line. */
  async correct(kind: 'remove' | 'invalidate', target: string): Promise<void> {
    const args = ['ledger', 'add', kind, target, '--reason', 'it was measured wrongly']
    const { code, stderr } = await startProofboard(this.copy.dataDir, args).ended
    if (code !== 0) throw new Error(stderr)
  }

  /** Measures a control on the suite with this server's own worker. */
  async runHere(subject: string): Promise<void> {
    await enqueueJob(database(), { suiteId: SUITE, subject, repetitions: 1 }, new Date())
  }

  /** Makes runs from the command line in a data folder whose server starts afterwards. */
  async runLocally(): Promise<void> {
    this.#local ??= startCopy(SETTINGS, async (dir) => {
      temporarySuite(dir, SUITE, TASKS)
      await playLocalRuns(dir)
    })
    await this.#local
  }

  async board(): Promise<Board> {
    const local = await this.#local
    const boards = await Promise.all([
      this.get(`/api/v1/leaderboard?suite=${SUITE}`),
      this.get(`/api/v1/leaderboard?suite=${BROWSER_SUITE}`),
      ...(local ? [this.get(`/api/v1/leaderboard?suite=${SUITE}`, local.url)] : []),
    ])
    const [board, ...others] = boards.map((one) => boardSchema.parse(one))
    // All rows in one list, because an attack is identified by its run, whatever its suite.
    const rows = [board, ...others].flatMap((one) => one?.rows ?? [])
    return { ...(board as Board), rows }
  }

  /** The board of the suite in an archive, and in a restored backup. */
  async restored(): Promise<Board[]> {
    const [archive, backup] = [join(this.#own.work, 'archive'), join(this.#own.work, 'restored')]
    const { dataDir } = this.copy
    const print = async (args: string[], folder = dataDir) => {
      const { code, stdout, stderr } = await startProofboard(folder, args).ended
      if (code !== 0) throw new Error(`proofboard ${args.join(' ')} ended with ${code}: ${stderr}`)
      return stdout
    }
    await print(['board', 'export', '--to', archive])
    const { folder } = lastJson(await print(['backup', 'create', '--json']))
    await print(['backup', 'restore', String(folder), '--into', backup])
    const texts = [archive, backup].map((from) =>
      print(['board', 'rebuild', '--suite', SUITE, '--from', from], this.#own.work),
    )
    return (await Promise.all(texts)).map((text) => boardSchema.parse(JSON.parse(text)))
  }

  /** The leaderboard as HTML. */
  async boardPage(): Promise<string> {
    const response = await fetch(`${this.copy.url}/?suite=${SUITE}`)
    return response.text()
  }

  async get(path: string, url = this.copy.url): Promise<unknown> {
    const response = await fetch(`${url}${path}`)
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }

  /** The board once no row is open, and still none a moment later. */
  async settledBoard(isOpen: (board: Board) => boolean, limitMs: number): Promise<Board> {
    for (const end = Date.now() + limitMs; Date.now() < end; await pause(3000)) {
      const board = await this.board().catch(() => null)
      if (!board || isOpen(board)) continue
      // The last stored results may not be on the board yet.
      await pause(3000)
      const again = await this.board()
      if (!isOpen(again)) return again
    }
    throw new Error('the server did not evaluate everything in time')
  }

  async #post(
    path: string,
    by: AttackSender,
    type: string,
    body: Uint8Array,
  ): Promise<ServerResponse> {
    const key = await by.key(body)
    for (;;) {
      const response = await fetch(`${this.copy.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        body: new Uint8Array(body),
      }).catch((error: { cause?: NodeJS.ErrnoException }) => {
        // The server ends a connection that has been idle, maybe while the next request is under way.
        if (error.cause?.code !== 'UND_ERR_SOCKET') throw error
        return null
      })
      if (response === null) continue
      const text = await response.text()
      // The rate limit of one address, which all attackers share here.
      if (response.status === 429) {
        await pause(Number(response.headers.get('retry-after') ?? 1) * 1000)
        continue
      }
      const parsed = JSON.parse(text) as Record<string, unknown>
      const message = String(parsed.detail ?? parsed.summary ?? text)
      return { status: response.status, text: message, body: parsed }
    }
  }
}

async function newToken(name: string, actor: Actor = CONSOLE): Promise<AttackSender> {
  const order = { name, scopes: ['results:write'] as const, days: 1 }
  const secret = await addToken(order, { actor, now: new Date() })
  return { key: async () => secret }
}

async function command(dataDir: string, args: readonly string[], by: AttackSender): Promise<void> {
  const env = { PROOFBOARD_TOKEN: await by.key() }
  const { code, stderr } = await startProofboard(dataDir, args, env).ended
  if (code !== 0) throw new Error(`proofboard ${args[0]} ended with ${code}: ${stderr}`)
}
