type TextFile = { name: string; type: 'text/csv' | 'text/markdown'; body: string }

/** A text for saving under a name; public as all reads are. */
export function respondFile({ name, type, body }: TextFile): Response {
  return new Response(body, {
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-cache',
      'Content-Disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`,
      'Content-Type': `${type}; charset=utf-8`,
    },
  })
}
