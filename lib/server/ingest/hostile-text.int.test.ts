import { createElement, Fragment } from 'react'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { EpisodeFacts } from '#components/episode/episode-facts.tsx'
import { EvidenceFiles } from '#components/episode/evidence-files.tsx'
import { OutcomeBanner } from '#components/episode/outcome.tsx'
import { PlanFacts } from '#components/run/run-facts.tsx'
import { RunTable } from '#components/run/run-table.tsx'
import { findHidden } from '#lib/domain/eligibility/index.ts'
import { getEpisode } from '#lib/server/runs/episodes.ts'
import { getRun } from '#lib/server/runs/runs.ts'
import {
  bundleWith,
  HOSTILE_STRINGS,
  listStringPaths,
  type StringKind,
} from '#lib/testing/corpora/hostile/hostile-bodies.ts'
import { sendBody } from '#lib/testing/corpora/hostile/play-hostile.ts'
import { type HostileTestServer, openTestServer } from '#lib/testing/corpora/hostile/test-server.ts'
import { renderWithAddress } from '#lib/testing/factories/render-with-address.tsx'

vi.setConfig({ testTimeout: 120_000 })

/** Any string may appear in free text: it is stored unchanged and displayed harmlessly. */
const WORDS = [
  'plan.tasks.0.category',
  'plan.tasks.1.category',
  'plan.subject.version',
  'plan.subject.adapterVersion',
  'plan.subject.provider',
  'plan.subject.modelRequested',
  'plan.command',
  'lock.os',
  'lock.arch',
  'lock.kernel',
  'lock.node',
  'lock.harness.version',
  'lock.harness.commit',
  'lock.libraries.expect',
  'episodes.0.category',
  'episodes.0.subject.version',
  'episodes.0.subject.adapterVersion',
  'episodes.0.subject.provider',
  'episodes.0.subject.modelRequested',
  'episodes.0.subject.modelObserved.0',
  'episodes.0.environment.os',
  'episodes.0.environment.arch',
  'episodes.0.environment.kernel',
  'episodes.0.environment.node',
  'episodes.0.environment.harness.version',
  'episodes.0.environment.harness.commit',
  'episodes.0.environment.libraries.expect',
  'episodes.0.outcome.reason',
  'episodes.0.effort.firstTool',
  'episodes.0.effort.noProgress.0.signal',
  'episodes.0.fault.plan',
  'episodes.0.fault.point',
  'episodes.0.evidence.0.path',
]
/** The name of a subject must not have invisible characters. */
const NAMES = /\.subject\.(version|adapterVersion|provider|modelRequested)$/
const KINDS = Object.keys(HOSTILE_STRINGS) as StringKind[]
/** Forbidden in a page: an injected element, or a character that moves, hides or reorders text. */
const HARMFUL = /<img|(?![\t\n])[\p{Cc}\p{Cf}]/u

let server: HostileTestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const EVERYWHERE = '%s in any string of a bundle is refused, or stored and shown as text'
it.each(KINDS.slice(0, 1))(EVERYWHERE, sendEverywhere)
it.each(KINDS.slice(1))(EVERYWHERE, { tags: 'night' }, sendEverywhere)

it.each(KINDS.slice(1))(
  '%s in all free texts at once is stored and shown as text, and in a name refused',
  async (kind) => {
    const isName = (path: string) => NAMES.test(path)
    expect(findHidden(HOSTILE_STRINGS[kind])).not.toBeNull()
    expect(
      await send(
        WORDS.filter((path) => !isName(path)),
        kind,
      ),
    ).toEqual({
      isKept: true,
      isHarmful: false,
    })
    for (const path of WORDS.filter(isName)) expect((await send([path], kind)).isKept).toBe(false)
  },
)

/** A request waits a hundred times for a file or a mutex: several of them do that at once. */
const AT_ONCE = 6

async function sendEverywhere(kind: StringKind): Promise<void> {
  const paths = listStringPaths()
  const kept = new Set<string>()
  const harmful: string[] = []
  const waiting = paths.values()
  const sendNext = async () => {
    for (const path of waiting) {
      const { isKept, isHarmful } = await send([path], kind)
      if (isKept) kept.add(path)
      if (isHarmful) harmful.push(path)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
  const isHidden = findHidden(HOSTILE_STRINGS[kind]) !== null
  expect(paths.filter((path) => kept.has(path))).toEqual(
    WORDS.filter((path) => !isHidden || !NAMES.test(path)),
  )
  expect(harmful).toEqual([])
}

let sent = 0

/** Sends a run with a hostile string at some paths. */
async function send(
  paths: readonly string[],
  kind: StringKind,
): Promise<{ isKept: boolean; isHarmful: boolean }> {
  const runId = `run_${kind}${String(sent++).padStart(6, '0')}`
  const body = bundleWith(paths, kind, runId)
  const { status, text } = await sendBody(server.url, server.token, { body })
  const isKept = status === 201
  if (!isKept) expect([paths, status]).toEqual([paths, 422])
  // The response must not control a terminal that prints it either: everything is escaped.
  expect(/(?!\n)[\p{Cc}\p{Cf}]/u.test(text), `${paths}`).toBe(false)
  return { isKept, isHarmful: isKept && HARMFUL.test(await showRun(runId)) }
}

/** Renders the pages of a run and its first episode. */
async function showRun(runId: string): Promise<string> {
  const run = await getRun(runId)
  const view = await getEpisode(run?.episodes[0]?.episodeId ?? '')
  if (!run || !view) throw new Error(`${runId} is not there`)
  const { episode, provenance, evaluatedHere, pruned } = view
  const parts = [
    createElement(PlanFacts, { run, suiteTitle: run.suiteId, key: 1 }),
    createElement(RunTable, { runs: [run], titles: new Map(), key: 2 }),
    createElement(OutcomeBanner, { episode, key: 3 }),
    createElement(EpisodeFacts, { episode, provenance, evaluatedHere, key: 4 }),
    createElement(EvidenceFiles, { files: episode.evidence, pruned, key: 5 }),
  ]
  return renderWithAddress(createElement(Fragment, null, ...parts))
}
