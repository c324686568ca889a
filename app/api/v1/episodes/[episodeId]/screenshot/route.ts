import { screenshotEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondImage } from '#lib/server/http/respond.ts'
import { missingEvidenceError } from '#lib/server/runs/read-log.ts'
import { readScreenshot } from '#lib/server/runs/screenshot.ts'

/** Returns exactly the sealed bytes. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  screenshotEndpoint,
  async ({ request, params: { episodeId }, query: { frame } }) => {
    const screenshot = await readScreenshot(episodeId, frame)
    if (!screenshot) throw await missingEvidenceError(episodeId, 'screenshot')
    return respondImage(request, screenshot)
  },
)
