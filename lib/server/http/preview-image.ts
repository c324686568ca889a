import type { Metadata } from 'next'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { processWide } from '../../process-wide.ts'
import { FairQueue } from './fair-queue.ts'
import { etagOf, isKnown } from './respond.ts'

/** Size of link previews. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const

/** Raise it when the same text is drawn differently. */
const DRAWING_VERSION = 3

/**
 * Responds with a preview image of a text, for other sites: its tag is that of the text, so a cached image needs no
 * rendering.
 */
export async function respondDrawing(
  request: Request,
  words: object,
  draw: () => Promise<ArrayBuffer>,
  format: 'png' | 'svg' = 'png',
): Promise<Response> {
  const key = JSON.stringify([DRAWING_VERSION, words])
  const headers = {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': "default-src 'none'; img-src data:; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etagOf(`${format} ${key}`),
  }
  if (isKnown(request, headers.ETag)) return new Response(null, { status: 304, headers })
  const bytes = await drawOnce(key, draw)
  if (format === 'svg')
    return new Response(embedInSvg(bytes), {
      headers: { ...headers, 'Content-Type': 'image/svg+xml; charset=utf-8' },
    })
  const size = { 'Content-Length': String(bytes.byteLength), 'Content-Type': 'image/png' }
  return new Response(bytes, { headers: { ...headers, ...size } })
}

/** Embeds an image for URLs that request SVG. */
function embedInSvg(png: Uint8Array): string {
  const { width, height } = PREVIEW_SIZE
  const data = Buffer.from(png).toString('base64')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${data}"/></svg>`
}

/** Concurrent renderings, each of which uses a core for a good part of a second; more wait. */
const LIMITS = { total: 2, perNetwork: 2, waiting: 8 }
const MAX_KEPT = 64

type Drawing = Promise<Uint8Array<ArrayBuffer>>

const queue = processWide('preview images', () => new FairQueue(LIMITS))
const cached = processWide('cached preview images', () => new Map<string, Drawing>())

/**
 * Renders an image once per content, and caches it while there is room. Throws too-many-requests when the queue is
 * full.
 */
async function drawOnce(
  key: string,
  draw: () => Promise<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const known = cached.get(key)
  if (known !== undefined) return known
  const drawing = queue.run(async () => new Uint8Array(await draw()), crowded)
  cached.set(key, drawing)
  drawing.catch(() => cached.delete(key))
  const [oldest] = cached.keys()
  if (cached.size > MAX_KEPT && oldest !== undefined) cached.delete(oldest)
  return drawing
}

function crowded(): AppError {
  const message = 'too many images are being rendered: try again in a moment'
  return new AppError('too-many-requests', message)
}

type Linked = {
  title: string
  description: string
  /** Path of the page on this server. */
  path: string
  /** Path of its image on this server; null = there is none. */
  picture: string | null
}

/** Builds the preview of a link to a page on other sites: text, and an image with its own URL. */
export function linkPreview({ title, description, path, picture }: Linked): Metadata {
  const absolute = (place: string) => new URL(place, env().publicUrl).href
  const images = picture && [{ url: absolute(picture), ...PREVIEW_SIZE, alt: description }]
  return {
    title,
    description,
    openGraph: {
      type: 'website',
      siteName: 'Proofboard',
      title,
      description,
      url: absolute(path),
      ...(images && { images }),
    },
    twitter: {
      card: images ? 'summary_large_image' : 'summary',
      title,
      description,
      ...(images && { images: images.map(({ url }) => url) }),
    },
  }
}
