import { availableParallelism } from 'node:os'
import { build } from 'esbuild'
import type { NextConfig } from 'next'
import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'

/** Headers of every response. proxy.ts sets the pages' policy with its nonce. */
const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
]

/** For everything except public reads, which allow embedding with their own header. */
const OWN_HEADERS = [{ key: 'Cross-Origin-Resource-Policy', value: 'same-origin' }]

/** The API serves data: opened as a page, it must not load or run anything. */
const DATA_HEADERS = [
  {
    key: 'Content-Security-Policy',
    value:
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  },
]

/** Bundles the script of every page into one line, which `SiteScript` (components/ui/site.tsx) writes into the page. */
async function bundleSiteScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['components/ui/behaviour/script.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
  })
  const [script] = outputFiles
  if (!script) throw new Error('the script of the pages was not built')
  // The text is put inside a script element.
  return script.text.trim().replaceAll('</', String.raw`<\/`)
}

const nextConfig: NextConfig = {
  agentRules: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks all types, so a build does not check them again.
  typescript: { ignoreBuildErrors: true },
  distDir: process.env.NEXT_DIST_DIR || '.next',
  // Null = Next generates one, as in a manual build.
  generateBuildId: () => process.env.NEXT_BUILD_ID ?? null,
  experimental: {
    // Writing the cache for later builds takes a fifth of a build, so a first build, for which a user waits, skips it.
    turbopackFileSystemCacheForBuild: process.env.NEXT_FIRST_BUILD !== '1',
    // Loading every page at the start takes a second of CPU and 30 MB; most servers show few of them.
    preloadEntriesOnStart: false,
    // node reads no source maps here, and writing them takes a sixth of a build.
    turbopackSourceMaps: false,
    // One worker less by default, which leaves a single one on two cores.
    cpus: Math.min(availableParallelism(), 4),
  },
  // For an image of the server: `npm run pack -- --server` adds the files that Next does not trace.
  ...(process.env.NEXT_STANDALONE === '1' && { output: 'standalone' as const }),
  // No page uses the image optimiser, and its package is not installed.
  images: { unoptimized: true },
  // The first one is native; bundling the others, which have 1,000 files, takes 3 s.
  serverExternalPackages: [
    '@photostructure/sqlite',
    'better-auth',
    '@pydantic/genai-prices',
    'yaml',
  ],
  // Metadata for link previews is in the head for all clients, because no list names every link reader.
  htmlLimitedBots: /.*/,
  redirects: async () => [
    // Many users look for it here first.
    { source: '/docs/api', destination: '/api-reference', permanent: true },
  ],
  headers: async () => [
    { source: '/:path*', headers: SECURITY_HEADERS },
    { source: '/((?!api/v1/|feed\\.|llms\\.txt).*)', headers: OWN_HEADERS },
    { source: '/api/:path*', headers: DATA_HEADERS },
    { source: '/feed.xml', headers: DATA_HEADERS },
    { source: '/feed.json', headers: DATA_HEADERS },
    { source: '/llms.txt', headers: DATA_HEADERS },
  ],
}

/** Bundles the site's script only for a build, not at the start of a server. */
export default async function configure(phase: string): Promise<NextConfig> {
  if (phase === PHASE_PRODUCTION_SERVER) return nextConfig
  // The tags of pages name the build (lib/server/http/shared-pages.ts).
  const env = { SITE_SCRIPT: await bundleSiteScript(), SITE_BUILD: process.env.NEXT_BUILD_ID }
  return { ...nextConfig, env }
}
