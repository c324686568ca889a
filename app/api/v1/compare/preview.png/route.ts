import { ImageResponse } from 'next/og'
import { drawComparison, PICTURE_SIZE } from '#components/charts/og-image.tsx'
import { comparePreviewEndpoint } from '#lib/domain/api/endpoints/board.ts'
import { comparisonPicture } from '#lib/domain/reports/preview-text.ts'
import { requireComparison } from '#lib/server/board/compare.ts'
import { respondDrawing } from '#lib/server/http/preview-image.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  comparePreviewEndpoint,
  async ({ request, query: { rows } }) => {
    const words = comparisonPicture(await requireComparison(rows))
    const draw = () => new ImageResponse(drawComparison(words), PICTURE_SIZE).arrayBuffer()
    return respondDrawing(request, words, draw)
  },
)
