/** Our own prebuilt domains: a small set in English. Labels are inline, as in `.lu` files. */
export type DomainModel = { readonly name: string; readonly description: string; readonly examples: string };
export type DomainIntent = DomainModel & { readonly utterances: readonly string[] };
export type PrebuiltDomain = {
  readonly name: string;
  readonly culture: string;
  readonly description: string;
  readonly examples: string;
  readonly intents: readonly DomainIntent[];
  readonly entities: readonly DomainModel[];
};

const calendar: PrebuiltDomain = {
  name: "Calendar",
  culture: "en-us",
  description: "Appointments: making, finding and cancelling them.",
  examples: "put lunch with Ann in my calendar",
  entities: [
    { name: "Calendar.Subject", description: "What an appointment is about.", examples: "lunch, dentist" },
    { name: "Calendar.Location", description: "Where it takes place.", examples: "room 4, the library" },
  ],
  intents: [
    {
      name: "Calendar.CreateEntry",
      description: "Make an appointment.",
      examples: "put lunch with Ann in my calendar",
      utterances: [
        "put {Calendar.Subject=lunch with Ann} in my calendar",
        "schedule a {Calendar.Subject=team meeting} in {Calendar.Location=room 4}",
        "add {Calendar.Subject=dentist} to my calendar for friday",
        "book the {Calendar.Location=small hall} for the {Calendar.Subject=choir practice}",
        "make an appointment for a {Calendar.Subject=haircut}",
        "set up a {Calendar.Subject=call with the bank} tomorrow morning",
        "plan a {Calendar.Subject=walk} at {Calendar.Location=the lake} on sunday",
        "create an entry for the {Calendar.Subject=parents' evening}",
      ],
    },
    {
      name: "Calendar.FindEntry",
      description: "Look for appointments.",
      examples: "when is my next meeting",
      utterances: [
        "when is my next {Calendar.Subject=meeting}",
        "what do I have on friday",
        "show my appointments for next week",
        "where does the {Calendar.Subject=choir practice} take place",
        "do I have anything in {Calendar.Location=the library} today",
        "is there a {Calendar.Subject=team meeting} tomorrow",
        "what is on my calendar",
        "at what time is the {Calendar.Subject=dentist}",
      ],
    },
    {
      name: "Calendar.DeleteEntry",
      description: "Cancel an appointment.",
      examples: "cancel the dentist",
      utterances: [
        "cancel the {Calendar.Subject=dentist}",
        "remove {Calendar.Subject=lunch with Ann} from my calendar",
        "delete the meeting in {Calendar.Location=room 4}",
        "call off the {Calendar.Subject=walk} on sunday",
        "clear my afternoon",
        "take the {Calendar.Subject=haircut} off my calendar",
        "I cannot make it to the {Calendar.Subject=choir practice}, drop it",
        "cancel all appointments for today",
      ],
    },
  ],
};

const weather: PrebuiltDomain = {
  name: "Weather",
  culture: "en-us",
  description: "Questions about the weather.",
  examples: "will it rain in Lisbon tomorrow",
  entities: [
    { name: "Weather.Location", description: "The place asked about.", examples: "Lisbon, the coast" },
  ],
  intents: [
    {
      name: "Weather.QueryWeather",
      description: "What the weather is or will be.",
      examples: "what is the weather like in Lisbon",
      utterances: [
        "what is the weather like in {Weather.Location=Lisbon}",
        "will it rain in {Weather.Location=Bergen} tomorrow",
        "how warm is it at {Weather.Location=the coast}",
        "weather forecast for {Weather.Location=Kyoto} this weekend",
        "is it snowing in {Weather.Location=the mountains}",
        "do I need an umbrella in {Weather.Location=Dublin}",
        "tell me the temperature in {Weather.Location=Nairobi}",
        "is it windy today",
      ],
    },
    {
      name: "Weather.ChangeUnit",
      description: "Have temperatures in another unit.",
      examples: "show it in celsius",
      utterances: [
        "show it in celsius",
        "change to fahrenheit",
        "I prefer degrees celsius",
        "use kelvin please",
        "convert that to fahrenheit",
        "what is that in celsius",
        "switch the unit of temperature",
        "give me the numbers in fahrenheit instead",
      ],
    },
  ],
};

const home: PrebuiltDomain = {
  name: "HomeAutomation",
  culture: "en-us",
  description: "Switching things on and off at home.",
  examples: "turn on the kitchen lamp",
  entities: [
    { name: "HomeAutomation.Device", description: "What is switched.", examples: "lamp, heating" },
    { name: "HomeAutomation.Room", description: "Where it is.", examples: "kitchen, upstairs" },
  ],
  intents: [
    {
      name: "HomeAutomation.TurnOn",
      description: "Switch something on.",
      examples: "turn on the kitchen lamp",
      utterances: [
        "turn on the {HomeAutomation.Room=kitchen} {HomeAutomation.Device=lamp}",
        "switch the {HomeAutomation.Device=heating} on",
        "start the {HomeAutomation.Device=fan} in the {HomeAutomation.Room=bedroom}",
        "{HomeAutomation.Device=lights} on {HomeAutomation.Room=upstairs}",
        "put the {HomeAutomation.Device=radio} on please",
        "could you turn the {HomeAutomation.Device=coffee machine} on",
        "I want the {HomeAutomation.Device=television} on in the {HomeAutomation.Room=living room}",
        "make it warmer in the {HomeAutomation.Room=bathroom}, {HomeAutomation.Device=heating} on",
      ],
    },
    {
      name: "HomeAutomation.TurnOff",
      description: "Switch something off.",
      examples: "turn off the kitchen lamp",
      utterances: [
        "turn off the {HomeAutomation.Room=kitchen} {HomeAutomation.Device=lamp}",
        "switch the {HomeAutomation.Device=heating} off",
        "stop the {HomeAutomation.Device=fan} in the {HomeAutomation.Room=bedroom}",
        "{HomeAutomation.Device=lights} out {HomeAutomation.Room=upstairs}",
        "put the {HomeAutomation.Device=radio} off please",
        "could you turn the {HomeAutomation.Device=coffee machine} off",
        "shut down the {HomeAutomation.Device=television} in the {HomeAutomation.Room=living room}",
        "kill the {HomeAutomation.Device=lights} everywhere",
      ],
    },
  ],
};

export const PREBUILT_DOMAINS: readonly PrebuiltDomain[] = [calendar, home, weather];
