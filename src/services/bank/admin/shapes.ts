/** Request bodies of the simulator in the admin interface. */
import { type Static, Type } from "@sinclair/typebox";
import { AccountId } from "#kernel/auth";

const word = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] });

const Money = Type.Object({
  value: word(20, "A decimal number.", "12.50"),
  currency: word(3, "Three letters.", "EUR"),
});
const amount = (description: string) =>
  Type.Object(Money.properties, { description, examples: [{ value: "12.50", currency: "EUR" }] });
const id = (description: string) => Type.Integer({ minimum: 1, description, examples: [31] });
const ACTIONS = ["authorise", "reverse", "settle", "refund"] as const;

export const CardTransaction = Type.Object({
  account: Type.Optional(AccountId),
  action: Type.Union(
    ACTIONS.map((action) => Type.Literal(action)),
    { default: "authorise", description: "What the merchant does.", examples: ["authorise"] },
  ),
  cardId: Type.Optional(id("The card, to authorise.")),
  primaryAccountNumberId: Type.Optional(id("Which of the card's numbers is used; the first when left out.")),
  amount: Type.Optional(
    amount("What the merchant asks for; of what was authorised before, all when left out."),
  ),
  billingAmount: Type.Optional(amount("The same in the card's currency, where the amount is in another.")),
  merchant: Type.Optional(
    Type.Object(
      {
        name: word(100, "As it stands on statements.", "Corner Bakery"),
        city: Type.Optional(word(100, "Where it is.", "Utrecht")),
        country: Type.Optional(word(2, "Its country; NL when left out.", "NL")),
        categoryCode: Type.Optional(word(4, "What it sells, in four digits.", "5462")),
        id: Type.Optional(word(50, "Its number with the scheme.", "M000123")),
      },
      { description: "Who asks.", examples: [{ name: "Corner Bakery", city: "Utrecht", country: "NL" }] },
    ),
  ),
  entry: Type.Optional(
    word(
      20,
      "How: CHIP and ATM need the pin, CONTACTLESS, MAGNETIC_STRIPE and E_COMMERCE do not.",
      "CONTACTLESS",
    ),
  ),
  pin: Type.Optional(word(10, "What was typed in.", "4821")),
  cvc2: Type.Optional(word(10, "The three digits, for E_COMMERCE.", "123")),
  challenge: Type.Optional(
    Type.Boolean({
      description: "Whether the holder of the card is asked first, on the web: see challenge-request.",
      examples: [true],
    }),
  ),
  transactionId: Type.Optional(id("What was authorised before, to reverse, settle or refund it.")),
});
export const IncomingPayment = Type.Object({
  account: Type.Optional(AccountId),
  iban: word(60, "The account that it is for.", "NL91MDLY0417164300"),
  amount: amount("How much."),
  description: Type.Optional(word(140, "What for.", "Salary of May")),
  from: Type.Object(
    {
      name: word(140, "Whose account it comes from.", "J. Doe"),
      iban: Type.Optional(word(60, "Its number.", "DE75512108001245126199")),
    },
    { description: "Who pays.", examples: [{ name: "J. Doe", iban: "DE75512108001245126199" }] },
  ),
  by: Type.Union([Type.Literal("TRANSFER"), Type.Literal("SWITCH_SERVICE"), Type.Literal("CARD")], {
    default: "TRANSFER",
    description: "By a transfer, through the service for those who changed banks, or from a card elsewhere.",
    examples: ["TRANSFER"],
  }),
});
export const DirectDebit = Type.Object({
  account: Type.Optional(AccountId),
  iban: word(60, "The account that is collected from.", "NL91MDLY0417164300"),
  amount: amount("How much."),
  creditor: Type.Object(
    {
      name: word(140, "Who collects.", "City Power"),
      schemeIdentifier: word(35, "Their number with the scheme.", "NL12ZZZ123456780000"),
      iban: Type.Optional(word(60, "Where the money goes.", "DE75512108001245126199")),
    },
    {
      description: "Who collects.",
      examples: [{ name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" }],
    },
  ),
  mandateIdentifier: word(35, "The mandate that allows it.", "M-1"),
  recurring: Type.Optional(
    Type.Boolean({ description: "Whether the mandate is for more than once.", examples: [false] }),
  ),
  description: Type.Optional(word(140, "What for.", "Electricity of May")),
});
export const Rates = Type.Object({
  account: Type.Optional(AccountId),
  rates: Type.Record(Type.String({ pattern: "^[A-Z]{3}$" }), Type.String({ maxLength: 22 }), {
    description: "What one euro is in other currencies, as decimal numbers; those left out stay as they are.",
    examples: [{ USD: "1.16", JPY: "178" }],
  }),
});
export const Outcome = Type.Object({
  id: Type.Integer({ description: "The record that was made or changed.", examples: [57] }),
  status: Type.String({ description: "How it stands now.", examples: ["AUTHORISED"] }),
  decision: Type.String({ description: "ALLOWED, or why not.", examples: ["ALLOWED"] }),
  decisionDescription: Type.String({
    description: "The same in words.",
    examples: ["The card was accepted."],
  }),
  monetaryAccountId: Type.Integer({ description: "The account concerned.", examples: [4] }),
  paymentIds: Type.Array(Type.Integer(), {
    description: "Its payments, the oldest first.",
    examples: [[58]],
  }),
});

const whole = (description: string, example: number) => Type.Integer({ description, examples: [example] });
export const Proof = Type.Object({
  isSound: Type.Boolean({ description: "Whether all of it balances.", examples: [true] }),
  entries: whole("How many entries there are.", 1200),
  sums: Type.Array(
    Type.Object({
      currency: word(3, "Three letters.", "EUR"),
      sum: whole("All entries together, in the smallest unit: nothing, where the books balance.", 0),
      entries: whole("How many entries there are.", 1200),
    }),
    { description: "By currency.", examples: [[{ currency: "EUR", sum: 0, entries: 1200 }]] },
  ),
  wrong: Type.Array(
    Type.Object({
      ledgerId: whole("The account of money.", 3),
      balance: whole("What it says it has.", 50_000),
      sum: whole("What its entries say.", 50_000),
    }),
    { description: "Accounts that do not balance.", examples: [[]] },
  ),
});

export type OutcomeView = Static<typeof Outcome>;
