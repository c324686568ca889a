import { ImageResponse } from 'next/og'
import { renderComparisonImage } from '#components/charts/og-image.tsx'
import { comparePreviewEndpoint } from '#lib/domain/api/index.ts'
import { comparisonPreview } from '#lib/domain/reports/index.ts'
import { requireComparison } from '#lib/server/board/compare.ts'
import { PREVIEW_SIZE, respondDrawing } from '#lib/server/http/preview-image.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  comparePreviewEndpoint,
  async ({ request, query: { rows } }) => {
    const words = comparisonPreview(await requireComparison(rows))
    const draw = () => new ImageResponse(renderComparisonImage(words), PREVIEW_SIZE).arrayBuffer()
    return respondDrawing(request, words, draw)
  },
)
