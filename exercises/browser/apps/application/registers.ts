export const COUNTRIES = [
  'Austria',
  'Belgium',
  'Bulgaria',
  'Croatia',
  'Cyprus',
  'Czechia',
  'Denmark',
  'Estonia',
  'Finland',
  'France',
  'Germany',
  'Greece',
  'Hungary',
  'Iceland',
  'Ireland',
  'Italy',
  'Latvia',
  'Lithuania',
  'Luxembourg',
  'Malta',
  'Netherlands',
  'Norway',
  'Poland',
  'Portugal',
  'Romania',
  'Slovakia',
  'Slovenia',
  'Spain',
  'Sweden',
  'Switzerland',
]

export const THEMES = ['Music', 'Oral history', 'Crafts', 'Theatre', 'Reading', 'Something else']

const ORGANISATIONS = [
  'Nordlys Kulturforening, Bodø',
  'Nordlys Kulturforening, Tromsø',
  'Nordlys Teater, Harstad',
  'Nordhavn Foundation, Oslo',
  'Fjordfolk Museum, Bergen',
  'Fjordfolk Friends, Bergen',
  'Kulturhuset Sentrum, Trondheim',
  'Lyskaster Kollektiv, Tromsø',
  'Vardø Reading Circle, Vardø',
]

const ADDRESSES = [
  ['Storgata 4', '9008', 'Tromsø', 'Norway'],
  ['Storgata 4', '8006', 'Bodø', 'Norway'],
  ['Storgata 4B', '8006', 'Bodø', 'Norway'],
  ['Storgata 41', '0182', 'Oslo', 'Norway'],
  ['Sjøgata 12', '8006', 'Bodø', 'Norway'],
  ['Skippergata 21', '9008', 'Tromsø', 'Norway'],
  ['Storgatan 4', '211 42', 'Malmö', 'Sweden'],
  ['Nørregade 10', '5000', 'Odense', 'Denmark'],
] as const

type Suggestion = { label: string; values: Record<string, string> }
const MOST = 6

/** What a field suggests for the words typed so far: at most six, those that begin with them first. */
export function suggest(register: string, words: string): Suggestion[] {
  const wanted = words.trim().toLowerCase()
  if (wanted.length < 2) return []
  const fits = listRegister(register).filter(({ label }) => label.toLowerCase().includes(wanted))
  const begins = ({ label }: Suggestion) => (label.toLowerCase().startsWith(wanted) ? 0 : 1)
  return fits.sort((left, right) => begins(left) - begins(right)).slice(0, MOST)
}

/** Whether an organisation stands in the register under exactly this name. */
export function isOrganisation(name: string) {
  return ORGANISATIONS.includes(name)
}

function listRegister(register: string): Suggestion[] {
  if (register === 'countries')
    return COUNTRIES.map((country) => ({ label: country, values: { country } }))
  if (register === 'organisations') {
    return ORGANISATIONS.map((organisation) => ({ label: organisation, values: { organisation } }))
  }
  if (register !== 'addresses') return []
  return ADDRESSES.map(([street, postcode, city, country]) => ({
    label: `${street}, ${postcode} ${city}, ${country}`,
    values: { street, postcode, city, country },
  }))
}
