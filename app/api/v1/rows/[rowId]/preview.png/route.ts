import { ImageResponse } from 'next/og'
import { renderRowImage } from '#components/charts/og-image.tsx'
import { rowPreviewEndpoint } from '#lib/domain/api/index.ts'
import { rowPreview } from '#lib/domain/reports/index.ts'
import { AppError } from '#lib/errors.ts'
import { findRow } from '#lib/server/board/rows.ts'
import { PREVIEW_SIZE, respondDrawing } from '#lib/server/http/preview-image.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  rowPreviewEndpoint,
  async ({ request, params: { rowId } }) => {
    const found = await findRow(rowId)
    if (!found) throw new AppError('not-found', `no row ${rowId.slice(0, 80)} on any leaderboard`)
    const words = rowPreview(found.row)
    const draw = () => new ImageResponse(renderRowImage(words), PREVIEW_SIZE).arrayBuffer()
    return respondDrawing(request, words, draw)
  },
)
