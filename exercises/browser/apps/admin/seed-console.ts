import type { Draw } from '../app.ts'
import {
  type Carrier,
  type ConsoleState,
  type Customer,
  type Delivery,
  type Invoice,
  PLANS,
  type Plan,
  type Run,
  type Status,
} from './console-state.ts'

const FIRST = [
  'Alder', 'Birch', 'Cedar', 'Dahlia', 'Elm', 'Fennel', 'Gorse', 'Hazel', 'Iris', 'Juniper', 'Kelp', 'Linden',
  'Maple', 'Nettle', 'Oak', 'Poplar', 'Quince', 'Rowan', 'Sorrel', 'Thistle', 'Umber', 'Violet', 'Willow', 'Yarrow',
] // biome-ignore format: a list
const SECOND = [
  'Foods',
  'Textiles',
  'Tools',
  'Books',
  'Optics',
  'Marine',
  'Paper',
  'Print',
  'Cycles',
  'Ceramics',
]
const PLACES: Record<string, readonly string[]> = {
  Netherlands: ['Rotterdam', 'Utrecht', 'Zwolle'],
  Germany: ['Hamburg', 'Leipzig', 'Ulm'],
  France: ['Lyon', 'Lille', 'Nantes'],
  Portugal: ['Porto', 'Lisbon', 'Faro'],
  Sweden: ['Malmö', 'Uppsala', 'Kalmar'],
  Poland: ['Gdańsk', 'Poznań', 'Lublin'],
  Italy: ['Turin', 'Trieste', 'Bari'],
  Spain: ['Bilbao', 'Valencia', 'Vigo'],
  Denmark: ['Aarhus', 'Odense', 'Esbjerg'],
  Belgium: ['Ghent', 'Liège', 'Namur'],
}
const COUNTRIES = Object.keys(PLACES)
const GIVEN = [
  'Ada',
  'Bruno',
  'Carla',
  'Dirk',
  'Elsa',
  'Felix',
  'Greta',
  'Henk',
  'Ines',
  'Jonas',
  'Klara',
  'Luca',
]
const FAMILY = [
  'Acker',
  'Bos',
  'Costa',
  'Dahl',
  'Engel',
  'Ferrari',
  'Girard',
  'Holm',
  'Jansen',
  'Kowal',
]
const FEES: Record<Plan, number> = {
  Starter: 4900,
  Standard: 14900,
  Fleet: 39900,
  Enterprise: 98000,
}
const CARRIERS = [
  ['norse-line', 'Norse Line', 'Gothenburg'],
  ['polder-express', 'Polder Express', 'Tilburg'],
  ['alpen-cargo', 'Alpen Cargo', 'Innsbruck'],
  ['rio-douro', 'Rio Douro Transportes', 'Porto'],
  ['baltic-wheels', 'Baltic Wheels', 'Gdynia'],
  ['canal-haulage', 'Canal Haulage', 'Dunkirk'],
] as const
/** id, from, to, column, driver, hour of leaving, pallets. */
const RUNS: readonly [string, string, string, Run['column'], string | null, number, number][] = [
  ['DSP-204', 'Ghent', 'Lille', 'Incoming', null, 15, 12],
  ['DSP-207', 'Hamburg', 'Odense', 'Incoming', null, 16, 22],
  ['DSP-211', 'Porto', 'Vigo', 'Incoming', 'Rui Tavares', 18, 9],
  ['DSP-198', 'Rotterdam', 'Lyon', 'Planned', 'Sanne Mulder', 12, 26],
  ['DSP-201', 'Rotterdam', 'Lille', 'Planned', 'Joost Peeters', 13, 18],
  ['DSP-202', 'Turin', 'Lyon', 'Planned', null, 14, 14],
  ['DSP-193', 'Aarhus', 'Malmö', 'Loading', null, 10, 20],
  ['DSP-195', 'Leipzig', 'Poznań', 'Loading', 'Marek Wilk', 11, 24],
  ['DSP-187', 'Bilbao', 'Nantes', 'On the road', 'Amaia Soto', 7, 16],
  ['DSP-190', 'Ulm', 'Trieste', 'On the road', 'Karl Huber', 8, 21],
  ['DSP-181', 'Utrecht', 'Namur', 'Delivered', 'Joost Peeters', 5, 11],
]

const pick = <T>(draw: Draw, list: readonly T[]) => list[Math.floor(draw() * list.length)] as T
const between = (draw: Draw, low: number, high: number) =>
  low + Math.floor(draw() * (high - low + 1))
/** ISO days from 1 June 2025 on, so that two thousand dates cost nothing. */
const FIRST_DAY = Date.UTC(2025, 5, 1) / 86_400_000
const DAYS = Array.from({ length: 720 }, (_, at) =>
  new Date((FIRST_DAY + at) * 86_400_000).toISOString().slice(0, 10),
)
const dayAt = (at: number) => DAYS[at] as string
const [FIRST_INVOICE, FIRST_DELIVERY, FIRST_RENEWAL] = [
  '2025-06-03',
  '2025-07-01',
  '2026-03-05',
].map((day) => DAYS.indexOf(day)) as [number, number, number]

/** 240 customers, eleven runs, six carriers and their deliveries: the same for the same draws. */
export function seedConsole(draw: Draw): ConsoleState {
  const names = FIRST.flatMap((first) => SECOND.map((second) => `${first} ${second}`))
  const customers = shuffled(draw, names).map((company, index) =>
    seedCustomer(draw, company, index),
  )
  return {
    customers,
    runs: RUNS.map(([id, from, to, column, driver, hour, pallets]) => ({
      ...{ id, from, to, column, driver, pallets },
      plate: `${pick(draw, ['BX', 'TN', 'VK', 'ZR'])}-${between(draw, 100, 999)}-${pick(draw, ['D', 'H', 'L', 'P'])}`,
      leaves: `2026-03-02T${String(hour).padStart(2, '0')}:${pick(draw, ['00', '15', '30', '45'])}:00.000Z`,
    })),
    carriers: CARRIERS.map(
      ([id, name, city]): Carrier => ({
        ...{ id, name, city },
        phone: `+${between(draw, 31, 49)} ${between(draw, 20, 89)} 555 ${between(draw, 1000, 9999)}`,
        watch: null,
      }),
    ),
    deliveries: seedDeliveries(draw),
    pauses: [],
    activity: [],
    before: new Map(customers.map((customer) => [customer.id, { ...customer }])),
  }
}

function seedCustomer(draw: Draw, company: string, index: number): Customer {
  const country = COUNTRIES[index % COUNTRIES.length] as string
  const chance = draw()
  const status: Status =
    chance < 0.62 ? 'active' : chance < 0.82 ? 'overdue' : chance < 0.92 ? 'paused' : 'cancelled'
  const plan = pick(draw, PLANS)
  return {
    id: `C-${1001 + index}`,
    ...{ company, country, plan, status },
    contact: `${pick(draw, GIVEN)} ${pick(draw, FAMILY)}`,
    city: pick(draw, PLACES[country] as readonly string[]),
    fee: FEES[plan] + between(draw, 0, 40) * 250,
    discount: between(draw, 0, 5),
    renewsOn: dayAt(FIRST_RENEWAL + between(draw, 0, 330)),
    notes: [],
    invoices: seedInvoices(draw, index, status === 'overdue'),
  }
}

/** One a month; a customer in arrears has paid neither the newest nor every older one. */
function seedInvoices(draw: Draw, index: number, isOverdue: boolean): Invoice[] {
  const length = between(draw, 6, 9)
  const unpaidFrom = isOverdue ? between(draw, 2, length - 2) : length
  return Array.from({ length }, (_, at) => {
    const issued = FIRST_INVOICE + at * 30 + between(draw, 0, 6)
    const isSettledLate = at > unpaidFrom && at < length - 1 && draw() < 0.4
    return {
      number: `INV-${20_000 + at * 240 + index}`,
      issued: dayAt(issued),
      due: dayAt(issued + 14),
      amount: between(draw, 9_000, 180_000),
      paid: at < unpaidFrom || isSettledLate,
    }
  }).reverse()
}

function seedDeliveries(draw: Draw): Delivery[] {
  return Array.from({ length: 900 }, () => {
    const carrier = pick(draw, CARRIERS)
    const day = FIRST_DELIVERY + between(draw, 0, 243)
    // Each has a bad season, so that the answer depends on the range that was asked for.
    const season = Math.floor(between(draw, 0, 1) + (FIRST_DAY + day) / 92) % CARRIERS.length
    const isBad = CARRIERS[season] === carrier
    return {
      at: day,
      carrier: carrier[1],
      country: pick(draw, COUNTRIES),
      isLate: draw() < (isBad ? 0.34 : 0.1),
    }
  })
    .sort((left, right) => left.at - right.at)
    .map(({ at, ...delivery }) => ({ day: dayAt(at), ...delivery }))
}

function shuffled<T>(draw: Draw, list: readonly T[]): T[] {
  const rest = [...list]
  const mixed: T[] = []
  while (rest.length > 0) mixed.push(...rest.splice(Math.floor(draw() * rest.length), 1))
  return mixed
}
