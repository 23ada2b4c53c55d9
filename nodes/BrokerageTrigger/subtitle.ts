/** The line below the trigger's name on the canvas: what starts the workflow, in the words of the panel. */
import { EVENT_LABELS } from '../../client/orders/model/order-summary';

const EVENTS = JSON.stringify({
  ...EVENT_LABELS,
  connectionLost: 'Connection Lost',
  connectionRestored: 'Connection Restored',
});

const DAYS = JSON.stringify({
  beforeExpiry: 'day before expiry',
  dayOfMonth: 'day of the month',
  expiry: 'expiry day',
  firstOfMonth: 'first trading day of the month',
  firstOfWeek: 'first trading day of the week',
  lastOfMonth: 'last trading day of the month',
  lastOfWeek: 'last trading day of the week',
  weekdays: 'days of the week',
});

const EXITS = JSON.stringify({
  all: 'Exits of all positions and holdings',
  held: 'Exits of what you hold',
  strategy: 'Exits of a strategy',
});

/** An expression of n8n: fields that are hidden have no value. */
export const subtitle = `={{ ({
  orders: [$parameter["events"]].flat().map((event) => (${EVENTS})[event] ?? event).join(", "),
  portfolio: "Portfolio Updates",
  price: "Price Alert",
  market: "Market Data",
  marketTime: ["At " + $parameter["marketTimes"], $parameter["repeatEvery"] ? "every " + $parameter["repeatEvery"] + " min until " + $parameter["repeatUntil"] : "", (${DAYS})[$parameter["days"]]].filter((part) => part).join(", "),
  optionChain: "Option Chain",
  orderExits: (${EXITS})[$parameter["exitsOf"]] ?? "Order Exits",
  portfolioAlert: "Portfolio Alert"
})[$parameter["watch"]] }}`;
