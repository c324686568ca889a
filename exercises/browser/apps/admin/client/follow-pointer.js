const SLACK_PX = 4

/**
 * Follows a pressed pointer until it is let go. Listens on the window, so that the card may be redrawn meanwhile. Below
 * a few pixels it is a click and nothing is told.
 */
export function follow(event, { onMove, onDrop, onGiveUp }) {
  if (event.button !== 0) return
  const start = { x: event.clientX, y: event.clientY }
  let isMoving = false
  let over = null
  const move = (at) => {
    const offset = { x: at.clientX - start.x, y: at.clientY - start.y }
    if (!isMoving && Math.hypot(offset.x, offset.y) < SLACK_PX) return
    isMoving = true
    over = columnAt(at)
    onMove(offset, over)
  }
  const end = new AbortController()
  const { signal } = end
  const giveUp = () => {
    end.abort()
    if (isMoving) onGiveUp()
  }
  addEventListener('pointermove', move, { signal })
  addEventListener('pointercancel', giveUp, { signal })
  addEventListener('keydown', ({ key }) => key === 'Escape' && giveUp(), { signal })
  addEventListener(
    'pointerup',
    (at) => {
      end.abort()
      if (isMoving) onDrop(columnAt(at))
    },
    { signal },
  )
}

function columnAt({ clientX, clientY }) {
  const below = document.elementsFromPoint(clientX, clientY)
  return below.find((element) => element.matches('[data-column]'))?.dataset.column ?? null
}
