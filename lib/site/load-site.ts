import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Site, SiteInput } from '#components/site/site-input.ts'
import { ensurePages } from '#lib/setup/pages/make-pages.mjs'

export type LoadedSite = {
  openSite: (input: SiteInput) => Site
  /** The policy of its pages. */
  policy: string
  /** Folder of the files that its pages load, below `assets`. */
  assets: string
}

/** The program that draws pages, a bundle of its own: most commands need no React. */
export async function loadSite(): Promise<LoadedSite> {
  const folder = await ensurePages()
  const program = join(folder, 'draw.cjs')
  const { openSite, PAGE_POLICY } = createRequire(program)(program)
  return { openSite, policy: PAGE_POLICY, assets: join(folder, 'assets') }
}
