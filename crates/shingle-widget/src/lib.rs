pub mod palette;

#[cfg(test)]
mod example;
