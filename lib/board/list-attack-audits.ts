import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AuditDocument, auditDocumentSchema } from '#lib/domain/audit/audit-document.ts'
import { slugSchema } from '#lib/domain/names.ts'
import { env } from '#lib/env.ts'
import { createLog } from '#lib/log.ts'
import { listRunnableSuites } from './list-suites.ts'

const log = createLog('attack-audits')

/** A suite with its latest audit; null = none was stored. */
export type SuiteAudit = {
  suiteId: string
  title: string
  audit: AuditDocument | null
  /** The audit was of another version of the suite. */
  isOutdated: boolean
}

/** Every suite that can be run here, with the latest audit of it: of this machine, or as it came with the suite. */
export async function listAttackAudits(): Promise<SuiteAudit[]> {
  const suites = await listRunnableSuites()
  return Promise.all(
    suites.map(async ({ suiteId, title, digest }) => {
      const audit = await findAudit(suiteId)
      const isOutdated = audit !== null && audit.suiteDigest !== digest
      return { suiteId, title, audit, isOutdated }
    }),
  )
}

/** The newer of the two: of this machine, in the data folder, or shipped with the suite. */
export async function findAudit(suiteId: string): Promise<AuditDocument | null> {
  if (!slugSchema.safeParse(suiteId).success) return null
  const { dataDir, root } = env()
  const own = await readAudit(join(dataDir, 'audits', `${suiteId}.json`))
  const shipped = await readAudit(
    join(/* turbopackIgnore: true */ root, 'exercises', suiteId, 'audit.json'),
  )
  if (own === null || shipped === null) return own ?? shipped
  return own.auditedAt >= shipped.auditedAt ? own : shipped
}

async function readAudit(path: string): Promise<AuditDocument | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = auditDocumentSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  log.warn('an audit is left out: the file does not have the expected format', { path })
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
