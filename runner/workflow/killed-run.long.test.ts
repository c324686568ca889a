import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countSealed, episodesIn } from '#lib/testing/factories/chromium.ts'
import { lastJson, pollUntil, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { listProcesses } from '../sandbox/process/list-processes.ts'
import { MARKER_VARIABLE } from '../sandbox/process/process-tree.ts'

const RUN = 'run_killedweb'

let root: string
/** As short as possible: Chromium's sockets need short paths. */
let temporary: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pb-'))
  temporary = join(tmpdir(), 'k')
  mkdirSync(temporary)
})
afterEach(() => {
  for (const folder of [root, temporary]) rmSync(folder, { recursive: true, force: true })
})

/** Lists every process of the run: by its mark, or by its temporary folder. */
function ofRun(temporary: string) {
  return listProcesses().filter(
    ({ environment, cwd }) =>
      environment.includes(`PROOFBOARD_RUN=${RUN}`) || cwd.startsWith(temporary),
  )
}

const hostsOf = (temporary: string) =>
  ofRun(temporary).filter(({ environment }) => environment.includes(`${MARKER_VARIABLE}=`))

describe('a browser run that is killed with -9', { tags: ['chromium', 'chromedriver'] }, () => {
  it('leaves nothing behind, and the same command goes on where it was', async () => {
    const out = join(root, 'out')
    const start = () =>
      startProofboard(
        join(root, 'data'),
        [
          ...['run', '--suite', 'browser', '--subject', 'selenium', '--tasks'],
          ...['shop-sort-wishes', '--repetitions', '2', '--run-id', RUN, '--out', out, '--json'],
        ],
        { TMPDIR: temporary },
      )
    const first = start()
    await pollUntil(() => countSealed(out) === 1, 90_000)
    // App server, chromedriver, library host, browser and its crash handler.
    await pollUntil(() => hostsOf(temporary).length > 0 && ofRun(temporary).length > 4, 60_000)
    first.child.kill('SIGKILL')
    await first.ended
    await pollUntil(() => ofRun(temporary).length === 0 && readdirSync(temporary).length === 0)

    const { code, stdout, stderr } = await start().ended
    expect(code, stderr).toBe(0)
    expect(lastJson(stdout)).toMatchObject({ planned: 2, sealed: 2, solved: 2, void: 0 })
    const told = episodesIn(out).map(({ repetition, attempt, outcome }) => [
      `r${repetition}-a${attempt}`,
      outcome.status,
    ])
    expect(told.sort()).toEqual([
      ['r1-a1', 'solved'],
      ['r2-a1', 'void'],
      ['r2-a2', 'solved'],
    ])
    expect([ofRun(temporary), readdirSync(temporary)]).toEqual([[], []])
  }, 240_000)
})
