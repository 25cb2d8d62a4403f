//! How a chain answers to what gives way at its ties.
//!
//! A tied point is solved for as if it were as heavy as what it is tied to, which is only a guess where others are tied to that too. How the pulls of all links change with
//! how far a tied point really gives way is linear near the solution: a column of the inverse of the system, for each link at a tie. With these what several chains
//! hold on to is solved for exactly afterwards ([`crate::island`]), without solving the chains again.

use super::ChainSolver;
use super::touching::Touching;
use crate::contact::Contact;
use crate::points::Points;

/// The columns of the links at ties.
#[derive(Clone, Debug, Default)]
pub struct Responses {
    /// The links.
    wanted: Vec<usize>,
    /// For each of them: by how much all links, and then all rows of contacts, pull more if it is 1 px too long.
    columns: Vec<Vec<f32>>,
    pushes: Vec<Vec<f32>>,
    /// The whole chain was solved, so that they say something.
    sound: bool,
    touches: bool,
    unit: Vec<f32>,
}

impl ChainSolver {
    /// Says for which links responses are wanted in the solves to come.
    pub fn want_responses(&mut self, links: impl Iterator<Item = usize>) {
        let responses = &mut self.responses;
        responses.wanted.clear();
        responses.wanted.extend(links);
        responses.sound = false;
        for columns in [&mut responses.columns, &mut responses.pushes] {
            columns.resize_with(responses.wanted.len(), Vec::new);
        }
    }

    /// Whether the last solve has responses.
    pub fn has_responses(&self) -> bool {
        self.responses.sound
    }

    /// Says that the last solve has none after all.
    pub fn spoil_responses(&mut self) {
        self.responses.sound = false;
    }

    /// By how much the wanted link `to` pulls more if the wanted link `of` is 1 px too long.
    pub fn response(&self, of: usize, to: usize) -> f32 {
        self.responses.columns[of][self.responses.wanted[to]]
    }

    /// The direction from the first to the second point of a link along which it was corrected.
    pub fn direction(&self, link: usize) -> glam::Vec2 {
        glam::Vec2::new(self.along_x[link], self.along_y[link])
    }

    /// Begins a solve.
    pub(super) fn begin_responses(&mut self) {
        let links = self.pulls.len();
        let responses = &mut self.responses;
        (responses.sound, responses.touches) = (true, false);
        for column in &mut responses.columns {
            column.clear();
            column.resize(links, 0.0);
        }
        responses.pushes.iter_mut().for_each(Vec::clear);
    }

    /// Takes down the responses of the links from `first` to before `last`, whose system was solved just now.
    pub(super) fn respond(&mut self, first: usize, last: usize) {
        let Responses { wanted, columns, unit, sound, .. } = &mut self.responses;
        for (link, column) in wanted.iter().zip(columns).filter(|(link, _)| (first..last).contains(*link)) {
            unit.clear();
            unit.resize(last - first, 0.0);
            unit[link - first] = 1.0;
            match self.system.solve(unit) {
                Some(answer) => column[first..last].copy_from_slice(answer),
                None => *sound = false,
            }
        }
    }

    /// The same for a chain that touches something.
    pub(super) fn respond_touching(&mut self, touching: &mut Touching, solved: bool) {
        self.responses.sound = solved;
        self.responses.touches = true;
        let links = self.pulls.len();
        if !solved || self.responses.wanted.is_empty() {
            return;
        }
        if touching.is_narrow() {
            return self.respond(0, links);
        }
        let Responses { wanted, columns, pushes, .. } = &mut self.responses;
        for ((link, column), pushes) in wanted.iter().zip(columns).zip(pushes) {
            touching.answer(*link, column, pushes);
        }
    }

    /// Changes the solution as if the wanted links had been `longer` px longer than they were. Held points stay.
    pub fn correct(&mut self, points: &mut Points, contacts: &mut [Contact], longer: &[f32]) {
        let links = self.pulls.len();
        let Responses { columns, pushes, touches, unit, .. } = &mut self.responses;
        unit.clear();
        unit.resize(links, 0.0);
        for (column, &longer) in columns.iter().zip(longer) {
            unit.iter_mut().zip(column).for_each(|(sum, pull)| *sum += longer * pull);
        }
        self.pulls.iter_mut().zip(&*unit).for_each(|(pull, more)| *pull += more);
        if *touches {
            let along = [&self.along_x[..links], &self.along_y[..links]];
            self.touching.correct(points, contacts, unit, along, pushes.iter().map(Vec::as_slice).zip(longer));
            return;
        }
        super::apply([&mut points.x, &mut points.way_x], unit, &self.along_x[..links], &points.inv_mass, 1.0);
        super::apply([&mut points.y, &mut points.way_y], unit, &self.along_y[..links], &points.inv_mass, 1.0);
    }
}
