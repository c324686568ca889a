import { join } from 'node:path'
import { build } from 'esbuild'
import { env } from '#lib/env.ts'

/** A program for a browser as one plain script, from its source in this folder: no module, so that a file may load it. */
export async function bundleBrowser(name: 'static-copy' | 'check-page'): Promise<string> {
  const { root } = env()
  const { outputFiles } = await build({
    entryPoints: [join(root, 'lib/server/static/browser', `${name}.ts`)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
