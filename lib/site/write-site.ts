import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Site } from '#components/site/site-input.ts'

type Written = { pages: number; files: number; bytes: number }
/** Called after each file with the size so far. Throws to stop. */
type OnFile = (written: Written) => void

/** Writes a site and the files that its pages load into a folder. */
export async function writeSite(
  site: Site,
  assets: string,
  folder: string,
  onFile: OnFile = () => {},
): Promise<Written> {
  const written = { pages: 0, files: 0, bytes: 0 }
  for (const path of site.paths) {
    const file = await site.draw(path)
    if (file === null) continue
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, file.body)
    written.files++
    written.bytes += Buffer.byteLength(file.body)
    if (path.endsWith('.html')) written.pages++
    onFile(written)
  }
  cpSync(assets, join(folder, 'assets'), { recursive: true })
  return written
}
