import { html, type Markup } from '../kit/html.ts'
import type { Product } from './shop-state.ts'

const SHAPES: Readonly<Record<Product['category'], string>> = {
  jackets: 'M36 24l14-8h20l14 8 18 44-13 6-11-22v52H42V52L31 74l-13-6z',
  knitwear: 'M34 26l15-6q11 9 22 0l15 6 16 46-14 5-10-24v47H42V53L32 77l-14-5z',
  bags: 'M32 44h56l6 58H26zM46 44q0-24 14-24t14 24h-7q0-16-7-16t-7 16z',
  home: 'M28 36h52v46q0 16-16 16H44q-16 0-16-16zM80 46q18 0 18 16t-18 16v-9q9 0 9-7t-9-7z',
}
const TINTS = ['#dfe7df', '#e9e2d6', '#dde3ea', '#eadfd9', '#e4e4dc']
const INKS = ['#4c6652', '#8a6a45', '#3f5570', '#94503c', '#5a5a4c']

/** A drawing of a product; says nothing that its name does not. */
export function picture({ category, id }: Pick<Product, 'category' | 'id'>): Markup {
  const tone = [...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % TINTS.length
  return html`<svg class="picture" viewBox="0 0 120 120" aria-hidden="true"><rect width="120" height="120" fill="${TINTS[tone]}"/><path d="${SHAPES[category]}" fill="${INKS[tone]}"/></svg>`
}
