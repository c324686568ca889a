import { join } from 'node:path'
import { countOf } from '#lib/domain/text/index.ts'
import { listSuiteLocations } from '../kinds/find-suite.ts'
import { isRunnerError, suiteError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import type { Admission } from '../suites/exercism/admit-task.ts'
import { fetchTrack, trackAddress } from '../suites/exercism/fetch-track.ts'
import { type ImportReport, importTrack } from '../suites/exercism/import-track.ts'
import { dataFolder } from '../suites/project-paths.ts'
import { type LazyVerifier, openSuite } from './open-suite.ts'
import { writeError } from './output.ts'

const EXERCISM = 'exercism'

/** Opens the suite of this name, after the data set that the options name was imported if it has to be. */
export async function openAskedSuite(
  name: string,
  options: { dataset?: string; suite?: string },
  verifier: LazyVerifier,
): ReturnType<typeof openSuite> {
  await fetchDataset(options, verifier)
  return openSuite(name, verifier)
}

/**
 * Imports the data set that `--dataset` names from its public repository, unless it was imported before. Other names are
 * those of suites.
 */
async function fetchDataset(
  { dataset, suite }: { dataset?: string; suite?: string },
  verifier: LazyVerifier,
): Promise<void> {
  if (dataset === undefined || suite !== EXERCISM) return
  if (listSuiteLocations(dataFolder(RUNNER_ENV)).some(({ suiteId }) => suiteId === EXERCISM)) return
  const from = trackAddress(RUNNER_ENV)
  writeError(`importing ${EXERCISM} from ${from}, once: each exercise is verified first`)
  try {
    const request = { suiteId: EXERCISM, selection: null, patched: true, concurrency: 2 }
    const { report } = await importExercism({ from, ref: null }, request, verifier)
    writeError(`imported ${countOf(report.admitted.length, 'exercise')} to ${report.folder}`)
  } catch (error) {
    if (!isRunnerError(error, 'suite')) throw error
    const [reason] = error.message.split('\n')
    throw suiteError(
      `${reason}. Check the network, or import a copy: npx proofboard suite import ${EXERCISM} --from <folder or git url>`,
      error.problems,
      '--dataset',
    )
  }
}

type ImportOptions = Omit<Parameters<typeof importTrack>[3], 'onTask'>

/** Imports a track, and prints a line for each exercise. */
export async function importExercism(
  { from, ref }: { from: string; ref: string | null },
  request: ImportOptions,
  verifier: LazyVerifier,
): Promise<{ report: ImportReport; ref: string }> {
  const track = await fetchTrack(from, ref)
  try {
    const suites = join(dataFolder(RUNNER_ENV), 'suites')
    const report = await importTrack(track, suites, verifier.get(), { ...request, onTask: print })
    return { report, ref: track.ref }
  } finally {
    await track.release()
  }
}

function print(admission: Admission): void {
  const lines = admission.admitted
    ? [`admitted ${admission.taskId}`, ...admission.patches.map((did) => `         ${did}`)]
    : [`rejected ${admission.taskId}: ${admission.reason}`]
  writeError(lines.join('\n'))
}
