/** How people and accounts are shown to whoever pays them or is paid by them. */

type Pointer = { type: string; value: string; name?: string };
type Image = { attachment_public_uuid: string; content_type: string; height: number; width: number };
type Avatar = { uuid: string; anchor_uuid?: string; image: Image[]; style?: string };
export type UserLabel = {
  uuid: string;
  display_name: string;
  country: string;
  avatar?: Avatar;
  public_nick_name: string;
};
/** One side of a payment, as the other sees it. */
export type Label = {
  iban?: string;
  display_name: string;
  avatar?: Avatar;
  label_user?: UserLabel;
  country: string;
  vendor_me?: Pointer;
  is_light: boolean;
  swift_bic?: string;
  swift_account_number?: string;
  transferprovider_account_number?: string;
  transferprovider_bank_code?: string;
  merchant_category_code?: string;
};
