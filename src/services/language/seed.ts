/** Demo data; seeding again changes nothing. */
import { TOKENIZER_VERSION } from "./domain/cultures.ts";
import { askForTraining } from "./jobs/training.ts";
import { createApplication } from "./operations/creation.ts";
import type { LanguageContext } from "./state.ts";
import { findApplicationByName } from "./store/applications.ts";
import { findVersion } from "./store/versions.ts";
import { contentOf } from "./transfer/app-json.ts";
import { checkedContent } from "./transfer/check.ts";
import { appFromLu } from "./transfer/lu-read.ts";

const NAME = "Travel desk";
const CULTURE = "en-us";
const VERSION = "0.1";
const LU = `
# BookFlight
- book a flight to {@City:destination=Lisbon}
- I want to fly from {@City:origin=Porto} to {@City:destination=Oslo}
- find me a flight to {@City:destination=Kyoto} next friday
- get {@Party={@Seats=two} seats} to {@City:destination=Dublin}
- reserve {@Party={@Seats=three} window seats} from {@City:origin=Bergen} to {@City:destination=Nairobi}
- is there a plane to {@City:destination=Faro} tomorrow
- fly me to {@City:destination=Porto}
- I need a ticket to {@City:destination=Oslo} for monday
- ~book [a] (flight | ticket) to {@City:destination}

# CancelBooking
- cancel my booking {@Ticket=ABC-1234}
- please call off my flight
- I do not want to travel any more, cancel it
- drop my reservation
- refund ticket {@Ticket=XYZ-9876}
- take my name off the flight to {@City=Dublin}

# AskWeather
- what is the weather in {@City=Lisbon}
- will it rain in {@City=Bergen} tomorrow
- how warm is {@City=Nairobi} in winter
- do I need an umbrella in {@City=Dublin}
- is it sunny in {@City=Faro} today

# None
- tell me a joke
- who won the match
- what is the capital of peru
- play some music
- good night

@ ml Party =
    - @ number Seats

@ list City hasRoles origin, destination =
    - Lisbon :
        - Lisboa
    - Porto :
        - Oporto
    - Oslo :
    - Kyoto :
    - Dublin :
    - Bergen :
    - Nairobi :
    - Faro :

@ regex Ticket = /[A-Z]{3}-[0-9]{4}/
@ prebuilt number
@ prebuilt datetimeV2

@ phraselist Vehicles(interchangeable) =
    - flight,plane,ticket,seat
`;

export async function seed(context: LanguageContext): Promise<void> {
  const { db, account, ids } = context;
  if (await findApplicationByName(db, account, NAME)) return;
  let number = 0;
  const newId = () => ids.uuid();
  const nextNumber = () => {
    number += 1;
    return number;
  };
  const said = { culture: CULTURE, tokenizerVersion: TOKENIZER_VERSION };
  const content = await checkedContent(contentOf(appFromLu(LU), said, { newId, nextNumber }), newId);
  const words = {
    name: NAME,
    ...said,
    description: "Books flights, and talks of the weather.",
    domain: "Travel",
    usageScenario: "Bot",
  };
  const application = await createApplication(context, words, VERSION, { content });
  const version = await findVersion(db, account, application.id, VERSION);
  if (version) await askForTraining(context, version);
}
