import type { Draw } from '../app.ts'
import type { Category, Product } from './shop-state.ts'

type Entry = [name: string, price: number, weight: number, material: string]

const COLOURS: Readonly<Record<Category, readonly string[]>> = {
  jackets: ['Moss', 'Navy', 'Rust'],
  knitwear: ['Oat', 'Navy', 'Rust'],
  bags: ['Black', 'Moss', 'Sand'],
  home: ['Natural', 'Charcoal'],
}
const SIZES: Readonly<Record<Category, readonly string[]>> = {
  jackets: ['S', 'M', 'L', 'XL'],
  knitwear: ['S', 'M', 'L', 'XL'],
  bags: ['One size'],
  home: ['One size'],
}

/** A name that ends with `*` is a waterproof product's. */
const ENTRIES: Readonly<Record<Category, readonly Entry[]>> = {
  jackets: [
    ['Fjord Rain Shell*', 14900, 480, 'Recycled nylon'],
    ['Fjord Rain Parka*', 21900, 890, 'Recycled nylon'],
    ['Skerry Windbreaker', 8900, 310, 'Polyester'],
    ['Skerry Storm Jacket*', 12900, 760, 'Polyester'],
    ['Tarn Waxed Jacket*', 18900, 1240, 'Waxed cotton'],
    ['Tarn Field Jacket', 15900, 980, 'Cotton canvas'],
    ['Cairn Down Jacket', 24900, 520, 'Nylon and down'],
    ['Cairn Light Down', 17900, 340, 'Nylon and down'],
    ['Harbour Raincoat*', 11900, 640, 'Rubberised cotton'],
    ['Harbour Pea Coat', 22900, 1480, 'Wool'],
    ['Moor Packable Rain Jacket*', 9900, 270, 'Recycled nylon'],
    ['Moor Softshell', 13900, 560, 'Polyester'],
    ['Ridge Hardshell*', 29900, 430, 'Three-layer membrane'],
    ['Ridge Fleece Jacket', 7900, 420, 'Recycled polyester'],
    ['Drift Anorak*', 13500, 590, 'Polyester'],
    ['Drift Work Jacket', 10900, 870, 'Cotton canvas'],
    ['Lantern City Mac*', 16500, 680, 'Cotton blend'],
    ['Lantern Gilet', 8400, 300, 'Recycled polyester'],
  ],
  knitwear: [
    ['Isle Crew Jumper', 8900, 540, 'Merino wool'],
    ['Isle Roll Neck', 9900, 580, 'Merino wool'],
    ['Isle Cardigan', 10900, 610, 'Merino wool'],
    ['Shetland Jumper', 11900, 640, 'Shetland wool'],
    ['Shetland Vest', 7900, 320, 'Shetland wool'],
    ['Cable Fisherman Jumper', 13900, 890, 'Lambswool'],
    ['Cable Cardigan', 14900, 910, 'Lambswool'],
    ['Loft Hoodie', 8400, 620, 'Organic cotton'],
    ['Loft Sweatshirt', 6900, 500, 'Organic cotton'],
    ['Ember Henley', 5900, 310, 'Organic cotton'],
  ],
  bags: [
    ['Quay Backpack*', 11900, 940, 'Recycled polyester'],
    ['Quay Roll-top*', 12900, 880, 'Recycled polyester'],
    ['Quay Messenger', 9900, 760, 'Cotton canvas'],
    ['Packet Tote', 4900, 340, 'Cotton canvas'],
    ['Packet Duffel 40', 13900, 1120, 'Cotton canvas'],
    ['Packet Duffel 60', 15900, 1380, 'Cotton canvas'],
    ['Ferry Sling', 5900, 280, 'Recycled nylon'],
    ['Ferry Wash Bag*', 3900, 180, 'Recycled nylon'],
    ['Ferry Laptop Sleeve', 4400, 260, 'Wool felt'],
    ['Ferry Dry Sack*', 2900, 120, 'Recycled nylon'],
  ],
  home: [
    ['Hearth Wool Throw', 12900, 1300, 'Lambswool'],
    ['Hearth Cushion', 4900, 600, 'Lambswool'],
    ['Kiln Mug', 1900, 380, 'Stoneware'],
    ['Kiln Teapot', 5900, 1100, 'Stoneware'],
    ['Kiln Bowl Set', 6900, 1900, 'Stoneware'],
    ['Birch Tray', 3900, 720, 'Birch plywood'],
    ['Birch Desk Lamp', 8900, 1400, 'Birch plywood'],
    ['Tallow Candle', 2400, 420, 'Soy wax'],
    ['Loom Bath Towel', 3400, 700, 'Organic cotton'],
    ['Loom Tea Towels', 1800, 240, 'Linen'],
  ],
}

/** The whole catalogue; the seed decides ratings, stock and small differences of price. */
export function drawCatalogue(draw: Draw): Product[] {
  return Object.entries(ENTRIES).flatMap(([category, entries]) =>
    entries.map((entry) => drawProduct(draw, category as Category, entry)),
  )
}

function drawProduct(draw: Draw, category: Category, [given, base, weight, material]: Entry) {
  const name = given.replace('*', '')
  const colours = COLOURS[category]
  const sizes = SIZES[category]
  const stock = Object.fromEntries(
    colours.flatMap((colour) =>
      sizes.map((size) => [variantKey({ colour, size }), drawStock(draw)]),
    ),
  )
  return {
    id: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    name,
    category,
    price: base + 100 * Math.floor(draw() * 9),
    rating: (32 + Math.floor(draw() * 18)) / 10,
    weight,
    isWaterproof: given.endsWith('*'),
    material,
    colours,
    sizes,
    stock,
  }
}

/** One variant in five is sold out. */
function drawStock(draw: Draw): number {
  return draw() < 0.2 ? 0 : 3 + Math.floor(draw() * 20)
}

export function variantKey({ colour, size }: { colour: string; size: string }): string {
  return `${colour} / ${size}`
}
