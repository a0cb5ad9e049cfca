//! Conversion of rules to other formats, and edits of single rules.

use windrow::convert::Target;
use windrow::learn::specify::{self, specify};
use windrow::wrapper::files::{self, Edit};

use crate::api::{self, ConvertRequest, EditRequest, Form, RuleText};
use crate::failure::Refused;
use crate::rules::{form, format};
use crate::state::State;

/// Converts rules; the same format as before only changes the layout. If a page is given and the rules cannot be
/// written as TSIMMIS commands, the commands are learned from that page.
pub(crate) fn convert(state: &State, request: ConvertRequest) -> Result<RuleText, Refused> {
    let from = format(request.rules.form)?;
    let text = request.rules.text;
    let target = if request.to == Form::Absolute { Target::Absolute } else { Target::Format(format(request.to)?) };
    let written = windrow::convert::convert(&text, from, target);
    let written = match (written, request.page) {
        (Err(_), Some(page)) if request.to == Form::Tsimmis => {
            let open = state.page(page)?;
            let wrapper = files::read(&text, from).map_err(|errors| Refused::of(&errors, &text))?;
            match specify(&wrapper, open.page.clone()) {
                Ok(specification) => specification.text,
                Err(specify::Error::Rules(errors)) => return Err(Refused::of(&errors, &text)),
                Err(error) => return Err(Refused::unfit("studio::not_specified", error.to_string())),
            }
        }
        (written, _) => written.map_err(|errors| Refused::of(&errors, &text))?,
    };
    Ok(RuleText { text: written, form: request.to })
}

/// Changes one rule.
pub(crate) fn edit(request: EditRequest) -> Result<RuleText, Refused> {
    let from = format(request.rules.form)?;
    let text = request.rules.text;
    let edit = match request.edit {
        api::Edit::Rename { name } => Ok(Edit::Rename(name)),
        api::Edit::Type { ty } => Ok(Edit::Type(ty)),
        api::Edit::Optional { optional } => Ok(Edit::Optional(optional)),
        api::Edit::Locate { expression } => {
            files::read_locator(&expression).map(|locator| Edit::Locate(Box::new(locator)))
        }
        api::Edit::Remove => Ok(Edit::Remove),
    };
    let edited = edit.and_then(|edit| files::edit(&text, from, &request.rule, &edit));
    let edited = edited.map_err(|errors| Refused::of(&errors, &text))?;
    Ok(RuleText { text: edited, form: form(from) })
}
