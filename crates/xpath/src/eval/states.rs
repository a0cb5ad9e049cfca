//! `:checked`, `:disabled` and `:enabled`: the state of a form right after its page has been loaded.

use windrow_dom::{NameId, NodeId, names};

use super::Eval;

impl Eval<'_> {
    /// Returns `true` if an element is checked: check boxes and radio buttons by their attribute, options by what
    /// their `select` shows.
    pub(super) fn is_checked(&self, id: NodeId) -> bool {
        let document = self.document;
        if document.is_html(id, names::OPTION) {
            return self.is_selected(id);
        }
        if !document.is_html(id, names::INPUT) || !self.has(id, names::CHECKED) {
            return false;
        }
        self.is_type(id, "checkbox") || self.is_type(id, "radio") && !self.is_overruled(id)
    }

    fn is_type(&self, id: NodeId, kind: &str) -> bool {
        self.document.attr_by_id(id, names::TYPE).is_some_and(|value| value.eq_ignore_ascii_case(kind))
    }

    /// Returns `true` if a later radio button of the same group is checked: only one of a group can be.
    fn is_overruled(&self, id: NodeId) -> bool {
        let document = self.document;
        let Some(group) = document.attr_by_id(id, names::NAME).filter(|name| !name.is_empty()) else { return false };
        let form = |id: NodeId| document.ancestors(id).find(|&above| document.is_html(above, names::FORM));
        let end = document.subtree_end(self.root_of(id)).index();
        let own = form(id);
        self.charge(end - id.index())
            && (id.index() + 1..end).map(NodeId::from_index).any(|other| {
                document.is_html(other, names::INPUT)
                    && self.has(other, names::CHECKED)
                    && document.attr_by_id(other, names::NAME) == Some(group)
                    && self.is_type(other, "radio")
                    && form(other) == own
            })
    }

    /// Returns `true` if an option is selected. Without `multiple`, this is the last option with the attribute or, in
    /// a list of one line, the first one that is not disabled.
    fn is_selected(&self, id: NodeId) -> bool {
        let document = self.document;
        let says = self.has(id, names::SELECTED);
        let Some(select) = document.ancestors(id).find(|&above| document.is_html(above, names::SELECT)) else {
            return says;
        };
        if self.has(select, names::MULTIPLE) {
            return says;
        }
        let end = document.subtree_end(select);
        if !self.charge(end.index() - select.index()) {
            return false;
        }
        let is_option = |&node: &NodeId| document.is_html(node, names::OPTION);
        if says {
            let mut later = (id.index() + 1..end.index()).map(NodeId::from_index).filter(is_option);
            return !later.any(|other| self.has(other, names::SELECTED));
        }
        let lines = document.attr_by_id(select, names::SIZE).and_then(|size| size.trim().parse::<u32>().ok());
        let options = || document.descendants(select).filter(is_option);
        lines.is_none_or(|lines| lines <= 1)
            && options().find(|&option| !self.is_disabled(option)) == Some(id)
            && !options().any(|option| self.has(option, names::SELECTED))
    }

    pub(super) fn can_be_disabled(&self, id: NodeId) -> bool {
        const CONTROLS: [NameId; 7] = [
            names::BUTTON,
            names::INPUT,
            names::SELECT,
            names::TEXTAREA,
            names::OPTGROUP,
            names::OPTION,
            names::FIELDSET,
        ];
        CONTROLS.iter().any(|&name| self.document.is_html(id, name))
    }

    /// Returns `true` if the element is disabled: by its own attribute, by a disabled `optgroup` around an `option`,
    /// or by a disabled `fieldset` around a control, unless the control is in the fieldset's first `legend`.
    pub(super) fn is_disabled(&self, id: NodeId) -> bool {
        let document = self.document;
        if self.has(id, names::DISABLED) {
            return true;
        }
        if document.is_html(id, names::OPTGROUP) {
            return false;
        }
        if document.is_html(id, names::OPTION) {
            return document
                .parent(id)
                .is_some_and(|parent| document.is_html(parent, names::OPTGROUP) && self.has(parent, names::DISABLED));
        }
        document.ancestors(id).any(|fieldset| {
            self.charge(1);
            document.is_html(fieldset, names::FIELDSET) && self.has(fieldset, names::DISABLED) && {
                let legend = document.children(fieldset).find(|&child| document.is_html(child, names::LEGEND));
                !legend.is_some_and(|legend| document.is_ancestor(legend, id))
            }
        })
    }
}
