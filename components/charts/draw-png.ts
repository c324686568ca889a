/** Properties that a drawing takes from the page's style sheet. */
const PAINTED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
] as const
const SCALE = 2
const PADDING = 16
const TITLE_HEIGHT = 28

/**
 * A chart as a PNG at twice its size, with its title above and the page's colours; null when the browser refuses. The
 * drawing is copied with its computed colours, because an image knows no style sheet.
 */
export async function drawPng(svg: SVGSVGElement, title: string): Promise<Blob | null> {
  const { width, height } = svg.getBoundingClientRect()
  const page = getComputedStyle(document.body)
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (height + 2 * PADDING + TITLE_HEIGHT) * SCALE
  const context = canvas.getContext('2d')
  if (!context) return null
  context.scale(SCALE, SCALE)
  context.fillStyle = getComputedStyle(document.documentElement).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = page.color
  context.font = `13px ${page.fontFamily}`
  context.fillText(title, PADDING, PADDING + 12, width)
  const image = await loadImage(paintedCopy(svg, width, height))
  context.drawImage(image, PADDING, PADDING + TITLE_HEIGHT, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

function paintedCopy(svg: SVGSVGElement, width: number, height: number): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = svg.querySelectorAll<SVGElement>('*')
  for (const [index, element] of copy.querySelectorAll<SVGElement>('*').entries()) {
    const original = originals[index]
    if (original) paint(element, getComputedStyle(original))
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.style.fontFamily = 'sans-serif'
  return copy
}

function paint(element: SVGElement, style: CSSStyleDeclaration): void {
  element.removeAttribute('class')
  for (const name of PAINTED) element.style.setProperty(name, style.getPropertyValue(name))
}

async function loadImage(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const image = new Image()
  const text = new XMLSerializer().serializeToString(svg)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  return image
}
