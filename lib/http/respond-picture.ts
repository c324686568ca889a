type Picture = {
  type: `image/${'png' | 'jpeg' | 'webp'}`
  bytes: Uint8Array<ArrayBuffer>
  digest: string
}

/**
 * Bytes that a stranger's page may have made: shown as the picture they are and as nothing else. They are known by
 * their digest, so whoever has them need not fetch them again.
 */
export function respondPicture(request: Request, { type, bytes, digest }: Picture): Response {
  const etag = `"${digest}"`
  const headers = {
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  if (request.headers.get('if-none-match')?.includes(etag)) {
    return new Response(null, { status: 304, headers })
  }
  const ending = type.replace('image/', '')
  return new Response(bytes, {
    headers: {
      ...headers,
      'Content-Disposition': `inline; filename="final-page.${ending}"`,
      'Content-Length': String(bytes.byteLength),
      'Content-Type': type,
    },
  })
}
