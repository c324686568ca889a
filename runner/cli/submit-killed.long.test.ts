import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seededGenerator } from '#lib/domain/statistics/index.ts'
import { type HostileTestServer, openTestServer } from '#lib/testing/corpora/hostile/test-server.ts'
import { startProofboard, temporarySuite } from '#lib/testing/factories/proofboard-command.ts'

const ROUNDS = 6
const SEED = 11

let ground: HostileTestServer
let dir: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'proofboard-submit-killed-'))
  temporarySuite(dir, 'small', ['lru-cache'])
  ground = await openTestServer()
})
afterEach(async () => {
  await ground.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Forwards every request to the board; `onPlan` runs when a registration arrives, and when it was answered. */
async function stand(onPlan: (when: 'came' | 'answered') => Promise<void>) {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method, headers, url } = incoming
    const isPlan = url?.endsWith('/plans') === true
    if (isPlan) await onPlan('came')
    const asking = request(`${ground.url}${url}`, { method, headers }, async (reply) => {
      const parts: Buffer[] = []
      for await (const part of reply as AsyncIterable<Buffer>) parts.push(part)
      response.writeHead(reply.statusCode ?? 0, reply.headers).end(Buffer.concat(parts))
      if (isPlan) await onPlan('answered')
    })
    asking.end(Buffer.concat(chunks))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

const runsFolder = () => join(dir, 'runs')
/** Run folders that have begun an attempt and have not ended: a restarted command resumes them by name. */
const listBegun = () =>
  (existsSync(runsFolder()) ? readdirSync(runsFolder()) : [])
    .map((name) => join(runsFolder(), name))
    .filter((path) => !existsSync(join(path, 'result.json')))
    .filter((path) => existsSync(join(path, 'episodes')) && readdirSync(join(path, 'episodes'))[0])

it('every expected run is named on disk, whenever its command is killed', async () => {
  const chance = seededGenerator(SEED)
  let kill: { when: 'came' | 'answered'; afterMs: number; now: () => void } | null = null
  const proxy = await stand(async (when) => {
    if (kill?.when !== when) return
    await pause(kill.afterMs)
    kill.now()
  })
  const env = { PROOFBOARD_TOKEN: ground.token, ACTIONS_ID_TOKEN_REQUEST_URL: '' }
  const start = (args: string[]) => startProofboard(dir, [...args, '--submit', proxy.url], env)
  const command = ['run', '--suite', 'small', '--subject', 'nop']
  for (let round = 0; round < ROUNDS; round++) {
    const { child, ended } = start(command)
    const when = chance.nextBelow(2) === 0 ? 'came' : 'answered'
    const now = () => child.kill('SIGKILL')
    kill = { when, afterMs: when === 'came' ? 0 : chance.nextBelow(1500), now }
    await ended
    kill = null
    const begun = listBegun()
    for (const path of begun) {
      const resumed = await start(['run', '--plan', join(path, 'plan.json'), '--out', path]).ended
      expect(resumed.code, resumed.stderr).toBe(0)
    }
    if (begun.length > 0) continue
    const again = await start(command).ended
    expect(again.code, again.stderr).toBe(0)
  }
  proxy.close()
  const entries = await ground.db.ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
  const actions = entries.map(({ action }) => JSON.parse(action))
  const registered = actions.flatMap(({ kind, runs }) =>
    kind === 'register' ? runs.map(({ runId }: { runId: string }) => runId) : [],
  )
  const received = actions.flatMap(({ kind, target }) => (kind === 'include' ? [target] : []))
  expect(registered).toHaveLength(ROUNDS)
  expect(registered.filter((runId) => !received.includes(runId))).toEqual([])
}, 600_000)
