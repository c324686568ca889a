import { writeRoute } from '#lib/server/http/write-route.ts'
import { receiveForm } from '#lib/server/ingest/receive-upload.ts'

export const dynamic = 'force-dynamic'

/**
 * Receives files from the admin page's form, streamed to disk, and redirects to their preview. Under /api, where no
 * proxy buffers bodies.
 */
export const POST = writeRoute({
  role: 'admin',
  scope: 'results:write',
  // `run` streams the body itself.
  read: async (request) => request,
  run: async ({ input, actor, requestId }) => {
    const [first, ...more] = await receiveForm(input, { actor, requestId, now: new Date() })
    const page = more.length > 0 ? '/admin/uploads' : `/admin/uploads/${first}`
    return new Response(null, { status: 303, headers: { Location: page } })
  },
})
