import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ModelCutoff,
  modelCutoffsFileSchema,
  SHIPPED_CUTOFFS,
} from '#lib/domain/models/model-cutoff.ts'
import { env } from '#lib/env.ts'
import { createLog } from '#lib/log.ts'

const log = createLog('model-cutoffs')

/**
 * The cut-offs of models that are known here: those of `model-cutoffs.json` in the data folder before those that are
 * shipped. A file that cannot be read counts as none, and the log says so.
 */
export async function listCutoffs(): Promise<readonly ModelCutoff[]> {
  const path = join(env().dataDir, 'model-cutoffs.json')
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return SHIPPED_CUTOFFS
  const parsed = modelCutoffsFileSchema.safeParse(parseJson(text))
  if (parsed.success) return [...parsed.data.cutoffs, ...SHIPPED_CUTOFFS]
  const [issue] = parsed.error.issues
  const problem = issue && `${issue.path.join('.')}: ${issue.message}`
  log.warn('cut-offs of models are left out: the file does not have the expected format', {
    path,
    problem,
  })
  return SHIPPED_CUTOFFS
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
