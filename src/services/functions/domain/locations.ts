/** Where functions can be said to be. All of them are this machine. */
export const LOCATIONS: Readonly<Record<string, string>> = {
  "africa-south1": "Johannesburg",
  "asia-east1": "Taiwan",
  "asia-northeast1": "Tokyo",
  "asia-south1": "Mumbai",
  "asia-southeast1": "Singapore",
  "australia-southeast1": "Sydney",
  "europe-north1": "Finland",
  "europe-west1": "Belgium",
  "europe-west2": "London",
  "europe-west3": "Frankfurt",
  "europe-west4": "Netherlands",
  "northamerica-northeast1": "Montréal",
  "southamerica-east1": "São Paulo",
  "us-central1": "Iowa",
  "us-east1": "South Carolina",
  "us-east4": "Northern Virginia",
  "us-west1": "Oregon",
};
export const isLocation = (location: string): boolean => Object.hasOwn(LOCATIONS, location);
