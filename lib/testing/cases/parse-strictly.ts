import { AppError } from '#lib/errors.ts'
import { JsonScan } from '#lib/server/ingest/json/scan-json.ts'

type Scanned = { ok: true; scan: JsonScan } | { ok: false; message: string }
type Parsed = { ok: true; value: unknown } | { ok: false; message: string }

/** Scans a text to its end. `limits`: maximum documents, depth and values. Throws only for what is not an AppError. */
export function scanWhole(
  text: string | Buffer,
  ...limits: [number?, { depth: number; values: number }?]
): Scanned {
  try {
    const scan = new JsonScan(Buffer.from(text as string), 'it', ...limits)
    while (scan.step());
    return { ok: true, scan }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, message: error.message.replace('it is not valid JSON: ', '') }
  }
}

/** Parses a strict JSON text, as uploads are read. */
export function parseStrictly(...args: Parameters<typeof scanWhole>): Parsed {
  const scanned = scanWhole(...args)
  if (!scanned.ok) return scanned
  const { loose, text } = scanned.scan
  return loose ? { ok: false, message: loose.message } : { ok: true, value: JSON.parse(text) }
}
